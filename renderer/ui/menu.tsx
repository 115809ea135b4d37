import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Kbd } from './kbd.tsx';

/** A button that opens a list of actions. `trigger` is the button itself. */
export function Menu({ trigger, align = 'end', children }: { trigger: ReactElement; align?: 'start' | 'end'; children: ReactNode }) {
	return (
		<Base.Root>
			<Base.Trigger render={trigger} />
			<Base.Portal>
				<Base.Positioner className="layer" sideOffset={4} align={align}>
					<Base.Popup className="pop menu">{children}</Base.Popup>
				</Base.Positioner>
			</Base.Portal>
		</Base.Root>
	);
}

interface MenuItemProps {
	icon?: IconName;
	keys?: string;
	danger?: boolean;
	disabled?: boolean;
	onClick: () => void;
	children: ReactNode;
}

export function MenuItem({ icon, keys, danger = false, disabled, onClick, children }: MenuItemProps) {
	return (
		<Base.Item className={danger ? 'menu-item danger' : 'menu-item'} disabled={disabled} onClick={onClick}>
			{icon ? <Icon name={icon} size="s" /> : null}
			<span className="grow">{children}</span>
			{keys ? <Kbd keys={keys} /> : null}
		</Base.Item>
	);
}

/** One of several; the chosen one has a tick. */
export function MenuChoice({
	value,
	onChange,
	options,
}: {
	value: string;
	onChange: (value: string) => void;
	options: { value: string; label: ReactNode }[];
}) {
	return (
		<Base.RadioGroup value={value} onValueChange={onChange}>
			{options.map((option) => (
				<Base.RadioItem key={option.value} value={option.value} className="menu-item" closeOnClick>
					<span className="menu-tick">
						<Base.RadioItemIndicator>
							<Icon name="check" size="s" />
						</Base.RadioItemIndicator>
					</span>
					<span className="grow">{option.label}</span>
				</Base.RadioItem>
			))}
		</Base.RadioGroup>
	);
}

/** One that is on or off by itself; the menu stays open, so that several can be chosen. */
export function MenuCheck({
	checked,
	onChange,
	children,
}: {
	checked: boolean;
	onChange: (checked: boolean) => void;
	children: ReactNode;
}) {
	return (
		<Base.CheckboxItem checked={checked} onCheckedChange={onChange} className="menu-item">
			<span className="menu-tick">
				<Base.CheckboxItemIndicator>
					<Icon name="check" size="s" />
				</Base.CheckboxItemIndicator>
			</span>
			<span className="grow">{children}</span>
		</Base.CheckboxItem>
	);
}

export function MenuLine() {
	return <Base.Separator className="menu-line" />;
}

export function MenuHeading({ children }: { children: ReactNode }) {
	return <p className="menu-heading">{children}</p>;
}
