import type { ReactNode } from 'react';
import { Icon, type IconName } from '../ui/icon.tsx';

interface RowProps {
	icon?: IconName;
	title: ReactNode;
	hint?: ReactNode;
	children?: ReactNode;
	/** A message under the row, such as why a choice was not saved. */
	below?: ReactNode;
}

/** One line of a settings table: what it is, a grey line of explanation, and its control at the right end. */
export function Row({ icon, title, hint, children, below }: RowProps) {
	return (
		<div className="tr">
			{icon ? <Icon name={icon} size="m" /> : null}
			<div className="grow">
				<p>{title}</p>
				{hint ? <p className="meta">{hint}</p> : null}
			</div>
			{children ? <div className="tr-end">{children}</div> : null}
			{below ? <div className="tr-below">{below}</div> : null}
		</div>
	);
}

export function SectionHead({ title, lead }: { title: string; lead: string }) {
	return (
		<>
			<h2>{title}</h2>
			<p>{lead}</p>
		</>
	);
}
