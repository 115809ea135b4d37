import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Tooltip } from './tooltip.tsx';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & { ref?: Ref<HTMLButtonElement> };

export interface ButtonProps extends Native {
	kind?: 'secondary' | 'primary' | 'ghost' | 'danger';
	size?: 'sm' | 'md' | 'lg';
	icon?: IconName;
	type?: 'button' | 'submit';
	/** At work: keeps its place and focus, ignores presses. */
	busy?: boolean;
}

export function Button({
	kind = 'secondary',
	size = 'md',
	icon,
	type = 'button',
	busy = false,
	className,
	children,
	onClick,
	...rest
}: ButtonProps) {
	const classes = ['btn', kind === 'secondary' ? '' : kind, size === 'md' ? '' : size, className].filter(Boolean).join(' ');
	return (
		<button
			{...rest}
			type={type}
			className={classes}
			aria-busy={busy || undefined}
			onClick={busy ? (event) => event.preventDefault() : onClick}
		>
			{busy ? <Icon name="running" size="s" className="spin" /> : icon ? <Icon name={icon} size="s" /> : null}
			{children}
		</button>
	);
}

export interface IconButtonProps extends Native {
	icon: IconName;
	/** Its name for assistive technology, and its tooltip. */
	label: string;
	/** Keys as shown in the tooltip, such as "Ctrl N". */
	keys?: string;
	kind?: 'ghost' | 'primary' | 'secondary';
	size?: 'sm' | 'md';
	type?: 'button' | 'submit';
}

export function IconButton({ icon, label, keys, kind = 'ghost', size = 'md', type = 'button', className, ...rest }: IconButtonProps) {
	const classes = ['btn icon', kind === 'secondary' ? '' : kind, size === 'sm' ? 'sm' : '', className].filter(Boolean).join(' ');
	return (
		<Tooltip text={label} keys={keys}>
			<button {...rest} type={type} className={classes} aria-label={label}>
				<Icon name={icon} size={size === 'sm' ? 's' : 'm'} />
			</button>
		</Tooltip>
	);
}
