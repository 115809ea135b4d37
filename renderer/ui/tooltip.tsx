import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { Kbd } from './kbd.tsx';

/** A name for a control that shows none. Never the only place where something is said. */
export function Tooltip({ text, keys, children }: { text: string; keys?: string; children: ReactElement }) {
	return (
		<Base.Root>
			<Base.Trigger render={children} delay={500} />
			<Base.Portal>
				<Base.Positioner sideOffset={6} className="layer">
					<Base.Popup className="pop tip">
						{text}
						{keys ? <Kbd keys={keys} /> : null}
					</Base.Popup>
				</Base.Positioner>
			</Base.Portal>
		</Base.Root>
	);
}
