import { lazy, Suspense, useState } from 'react';
import type { EntryId } from '../../../src/domain/memory.ts';
import type { Message } from '../../../src/domain/message.ts';
import { Popover } from '../../ui/popover.tsx';
import { useSay } from '../../ui/strings.tsx';

const UsedList = lazy(() => import('./used-list.tsx'));

/** The memories that the reply was made with, each once. */
export function memoriesOf({ parts }: Pick<Message, 'parts'>): EntryId[] {
	return [...new Set(parts.flatMap((part) => (part.type === 'memory' ? part.entryIds : [])))];
}

/** “used 3 memories”, and where each of them comes from (M2). */
export function UsedMemories({ message }: { message: Message }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	const entryIds = memoriesOf(message);
	if (entryIds.length === 0) return null;
	return (
		<Popover
			trigger={
				<button type="button" className="lnk">
					{say('used.count', { count: entryIds.length })}
				</button>
			}
			title={say('used.title')}
			closable
			side="top"
			className="used-pop"
			open={open}
			onOpenChange={setOpen}
		>
			{open ? (
				<Suspense fallback={null}>
					<UsedList entryIds={entryIds} onLeave={() => setOpen(false)} />
				</Suspense>
			) : null}
		</Popover>
	);
}
