import { useState } from 'react';
import type { MemoryConflict } from '../../src/contract/methods/memory.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { settleConflict } from './memory-actions.ts';

/** Two texts of one place that could not be merged: both are shown, and the owner chooses (mem-10). */
export function ConflictCards({ conflicts }: { conflicts: readonly MemoryConflict[] }) {
	return conflicts.map((conflict) => <ConflictCard key={conflict.id} conflict={conflict} />);
}

function ConflictCard({ conflict }: { conflict: MemoryConflict }) {
	const say = useSay();
	const [busy, setBusy] = useState<'ours' | 'theirs' | 'both'>();
	const take = async (which: 'ours' | 'theirs' | 'both'): Promise<void> => {
		if (busy) return;
		setBusy(which);
		await settleConflict(conflict.id, which);
		setBusy(undefined);
	};
	const text = (value: string | null) =>
		value === null ? (
			<p className="dim conflict-side">{say('memory.conflictRemoved')}</p>
		) : (
			<pre className="well conflict-side" dir="auto">
				{value}
			</pre>
		);
	const bothThere = conflict.ours !== null && conflict.theirs !== null;
	return (
		<section className="need conflict" aria-labelledby={`conflict-${conflict.id}`}>
			<header>
				<Icon name="alert" size="m" />
				<h2 id={`conflict-${conflict.id}`}>{say('memory.conflictTitle', { file: conflict.file })}</h2>
			</header>
			<p>{say('memory.conflictBody')}</p>
			<div className="conflict-sides">
				<div>
					<p className="conflict-h">{say('memory.conflictTheirs')}</p>
					{text(conflict.theirs)}
				</div>
				<div>
					<p className="conflict-h">{say('memory.conflictOurs')}</p>
					{text(conflict.ours)}
				</div>
			</div>
			<footer>
				<Button busy={busy === 'theirs'} onClick={() => void take('theirs')}>
					{say('memory.conflictTakeTheirs')}
				</Button>
				<Button busy={busy === 'ours'} onClick={() => void take('ours')}>
					{say('memory.conflictTakeOurs')}
				</Button>
				{bothThere ? (
					<Button kind="primary" busy={busy === 'both'} onClick={() => void take('both')}>
						{say('memory.conflictTakeBoth')}
					</Button>
				) : null}
			</footer>
		</section>
	);
}
