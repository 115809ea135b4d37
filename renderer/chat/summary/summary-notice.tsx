import { lazy, Suspense, useState } from 'react';
import { CompactionId } from '../../../src/domain/ids.ts';
import type { NoticePart } from '../../../src/domain/message.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';

const SummaryDialog = lazy(() => import('./summary-dialog.tsx'));

/** From here on a summary stands for what came before; it can be read, and leads to the originals. */
export function SummaryNotice({ notice: { values } }: { notice: NoticePart }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	const id = CompactionId.safeParse(values.id);
	return (
		<div className="notice">
			<Icon name="info" size="s" />
			<p>
				{say('chat.notice.compacted', { of: values.of ?? 'chat', count: Number(values.count ?? 0) })}{' '}
				{values.reason === undefined ? null : `${say('summary.unwritten')} `}
				<button type="button" className="lnk" onClick={() => setOpen(true)}>
					{say('summary.open')}
				</button>
			</p>
			{open && id.success ? (
				<Suspense fallback={null}>
					<SummaryDialog compactionId={id.data} onClose={() => setOpen(false)} />
				</Suspense>
			) : null}
		</div>
	);
}
