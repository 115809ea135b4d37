import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

interface PopoverProps {
	trigger: ReactElement;
	title: string;
	/** Show the title, or keep it for assistive technology. */
	titleShown?: boolean;
	align?: 'start' | 'center' | 'end';
	side?: 'top' | 'bottom';
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
	open,
	onOpenChange,
	className,
	children,
}: PopoverProps) {
	return (
		<Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
			<Base.Trigger render={trigger} />
			<Base.Portal>
				<Base.Positioner className="layer" sideOffset={6} align={align} side={side} collisionPadding={8}>
					<Base.Popup className={className ? `pop popover ${className}` : 'pop popover'}>
						<Base.Title className={titleShown ? 'popover-title' : 'vh'}>{title}</Base.Title>
						{children}
					</Base.Popup>
				</Base.Positioner>
			</Base.Portal>
		</Base.Root>
	);
}
