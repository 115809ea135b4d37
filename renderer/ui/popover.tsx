import { Popover as Base } from '@base-ui/react/popover';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { useSay } from './strings.tsx';

interface PopoverProps {
	trigger: ReactElement;
	title: string;
	/** Show the title, or keep it for assistive technology. */
	titleShown?: boolean;
	align?: 'start' | 'center' | 'end';
	side?: 'top' | 'bottom' | 'right';
	/** Stands beside this instead of its trigger. */
	anchor?: () => Element | null;
	/** A button closes it too, beside its title. */
	closable?: boolean;
	open?: boolean;
	onOpenChange?: (open: boolean) => void;
	className?: string;
	children: ReactNode;
}

export function Popover({
	trigger,
	title,
	titleShown = false,
	align = 'start',
	side = 'bottom',
	anchor,
	closable = false,
	open,
	onOpenChange,
	className,
	children,
}: PopoverProps) {
	const say = useSay();
	const popup = useRef<HTMLDivElement>(null);
	return (
		<Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
			<Base.Trigger render={trigger} />
			<Base.Portal>
				<Base.Positioner className="layer" sideOffset={6} align={align} side={side} anchor={anchor} collisionPadding={8}>
					<Base.Popup
						ref={popup}
						className={className ? `pop popover ${className}` : 'pop popover'}
						// A button that only closes is no place to begin: its tooltip would take the first Esc.
						initialFocus={closable ? popup : undefined}
					>
						{closable ? (
							<div className="popover-head">
								<Base.Title className="grow">{title}</Base.Title>
								<Base.Close render={<IconButton icon="x" size="sm" label={say('common.close')} />} />
							</div>
						) : (
							<Base.Title className={titleShown ? 'popover-title' : 'vh'}>{title}</Base.Title>
						)}
						{children}
					</Base.Popup>
				</Base.Positioner>
			</Base.Portal>
		</Base.Root>
	);
}
