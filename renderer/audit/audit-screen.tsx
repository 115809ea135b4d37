import { type KeyboardEvent, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { useLocation } from 'wouter';
import { isComposing } from '../ui/controls.tsx';
import { useSay } from '../ui/strings.tsx';
import { useLog } from './audit-store.ts';
import { Filters } from './filters.tsx';
import { focusDetail, focusRecord, isShown } from './focus.ts';
import { LogHead } from './log-head.tsx';
import { LogList } from './log-list.tsx';
import { AUDIT, parseSeq, recordPlace } from './place.ts';
import { RecordPane } from './record-pane.tsx';

/** Each crossing from a source to a sink: what was decided, by which rule, why (S1). */
export default function AuditScreen({ seq: given }: { seq: string | undefined }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const list = useRef<VirtualizerHandle>(null);
	const seq = parseSeq(given);

	/** The record so many rows below this one; none where the list does not hold it, or ends. */
	const near = (from: number | undefined, by: number): number | undefined => {
		const records = useLog.getState().records ?? [];
		const at = records.findIndex((record) => record.seq === from);
		return from === undefined ? records[0]?.seq : at < 0 ? undefined : records[at + by]?.seq;
	};
	const inDetail = (): boolean => document.activeElement?.closest('.v-audit > .detail-pane') != null;
	const move = (by: number): void => {
		const focused = Number(document.activeElement?.getAttribute('data-seq') ?? Number.NaN);
		const next = near(inDetail() || Number.isNaN(focused) ? seq : focused, by);
		if (next === undefined) return;
		// Where a record stands beside the list, it follows.
		if (seq !== undefined) navigate(recordPlace(next), { replace: true });
		if (inDetail()) focusDetail(next);
		else focusRecord(next);
	};
	const turn = (by: number): (() => void) | undefined => {
		const next = near(seq, by);
		return next === undefined ? undefined : () => navigate(recordPlace(next), { replace: true });
	};
	const back = (): void => {
		navigate(AUDIT);
		focusRecord(seq);
	};
	const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
		const { target, currentTarget } = event;
		// Menus hear their own keys, though React lets them come by here; a field keeps what is typed into it.
		if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('textarea, input, select')) return;
		if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const key = event.key.toLowerCase();
		const inList = target.closest('.log') !== null;
		if (key === 'j' || (key === 'arrowdown' && inList)) move(1);
		else if (key === 'k' || (key === 'arrowup' && inList)) move(-1);
		else if (key === 'escape' && seq !== undefined && (inDetail() || isShown('.v-audit > .log-pane'))) back();
		else return;
		event.preventDefault();
	};
	return (
		<main className={seq === undefined ? 'view v-audit' : 'view v-audit has-record'} id="main" onKeyDown={onKeyDown}>
			<h1 className="vh">{say('audit.title')}</h1>
			<section className="pane log-pane" aria-label={say('audit.log')}>
				<LogHead />
				<Filters />
				<LogList current={seq} list={list} />
			</section>
			{seq === undefined ? null : <RecordPane seq={seq} turn={turn} back={back} />}
		</main>
	);
}
