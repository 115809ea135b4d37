import { useMutation, useQuery } from '@tanstack/react-query';
import { createStrings } from '../../src/contract/strings/index.ts';
import { call } from '../connection/index.ts';
import { saveFile } from '../shell/save-file.ts';
import { showToast } from '../ui/toast.tsx';
import { useLog } from './audit-store.ts';
import { filterOf } from './filter.ts';

const strings = createStrings();

/** Records of one part of an export. */
const PART = 2_000;

/** How the chain stands, as it was read last. `refetch` reads every record anew. */
export function useChain() {
	return useQuery({
		queryKey: ['audit', 'verify'],
		queryFn: () => call((client) => client.audit.verify(), { repeatable: true }),
		staleTime: 60_000,
	});
}

/** One record with what there is around it. Asked anew when the log grew: the newest gets one after it. */
export function useRecord(seq: number | undefined, total: number) {
	const isNewest = seq !== undefined && seq >= total;
	return useQuery({
		queryKey: ['audit', 'get', seq, isNewest],
		queryFn: () => call((client) => client.audit.get({ seq: seq as number }), { repeatable: true }),
		enabled: seq !== undefined,
		staleTime: 0,
	});
}

/** The newest runs, to choose one of them. */
export function useRunChoices() {
	return useQuery({
		queryKey: ['runs', 'audit-choices'],
		queryFn: () => call((client) => client.runs.list({ limit: 20 }), { repeatable: true }),
		staleTime: 0,
	});
}

/** What the filter leaves of the log, as a file of the owner's. */
export function useExport() {
	return useMutation({
		mutationFn: async () => {
			const filter = filterOf(useLog.getState().chosen, Date.now());
			const texts: string[] = [];
			let count = 0;
			for (let after: number | undefined, more = true; more; more = after !== undefined) {
				const part = await call((client) => client.audit.export({ ...filter, limit: PART, ...(after !== undefined && { after }) }));
				texts.push(part.text);
				count += part.records;
				after = part.next;
			}
			const filename = `hearth-audit-${new Date().toISOString().slice(0, 10)}.jsonl`;
			const saved = await saveFile({ filename, mime: 'application/jsonl', text: texts.join('') });
			if (saved) showToast(strings('audit.exported', { count, filename }));
		},
	});
}
