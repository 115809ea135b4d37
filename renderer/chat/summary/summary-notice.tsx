import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react';
import { CompactionId } from '../../../src/domain/ids.ts';
import type { NoticePart } from '../../../src/domain/message.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';

const SummaryDialog = lazy(() => import('./summary-dialog.tsx'));

const OpenSummary = createContext<(id: CompactionId) => void>(() => undefined);

/** Shows summaries over what holds their notices: a notice may leave the page while its summary is read, as rows of a transcript do. */
export function Summaries({ children }: { children: ReactNode }) {
	const [open, setOpen] = useState<CompactionId>();
	return (
		<OpenSummary value={setOpen}>
			{children}
			{open ? (
				<Suspense fallback={null}>
					<SummaryDialog compactionId={open} onClose={() => setOpen(undefined)} />
				</Suspense>
			) : null}
		</OpenSummary>
	);
}

/** From here on a summary stands for what came before; it can be read, and leads to the originals. */
export function SummaryNotice({ notice: { values } }: { notice: NoticePart }) {
	const say = useSay();
	const show = useContext(OpenSummary);
	const id = CompactionId.safeParse(values.id);
	return (
		<div className="notice">
			<Icon name="info" size="s" />
			<p>
				{say('chat.notice.compacted', { of: values.of ?? 'chat', count: Number(values.count ?? 0) })}{' '}
				{values.reason === undefined ? null : `${say('summary.unwritten')} `}
				<button type="button" className="lnk" onClick={() => id.success && show(id.data)}>
					{say('summary.open')}
				</button>
			</p>
		</div>
	);
}
