import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusTitle } from './focus.ts';
import { stepped } from './proposal-view.ts';

interface DetailPaneProps {
	rows: readonly { readonly id: string }[];
	openId: string | undefined;
	open: (id: string) => void;
	back: () => void;
	/** What else can be done with it. */
	menu: ReactNode;
	children: ReactNode;
}

/** What is chosen in the list, whole; with the ways on and back. */
export function DetailPane({ rows, openId, open, back, menu, children }: DetailPaneProps) {
	const say = useSay();
	const at = rows.findIndex(({ id }) => id === openId);
	const step = (by: number) => (): void => {
		const next = stepped(rows, openId, by);
		if (!next) return;
		open(next.id);
		focusTitle(next.id);
	};
	return (
		<section className="pane" aria-label={say('inbox.detail')}>
			<div className={openId === undefined ? 'pane-head unlined' : 'pane-head'}>
				<IconButton icon="left" className="back" label={say('inbox.back')} onClick={back} />
				<span className="grow meta num">{at >= 0 ? say('inbox.place', { at: at + 1, count: rows.length }) : null}</span>
				{openId !== undefined && rows.length > 1 ? (
					<>
						<IconButton icon="up" keys="K" label={say('inbox.previous')} disabled={at === 0} onClick={step(-1)} />
						<IconButton icon="down" keys="J" label={say('inbox.next')} disabled={at === rows.length - 1} onClick={step(1)} />
					</>
				) : null}
				{openId === undefined ? null : menu}
			</div>
			{children}
		</section>
	);
}
