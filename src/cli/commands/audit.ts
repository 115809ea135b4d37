import { open } from 'node:fs/promises';
import type { HearthClient } from '../../contract/contract.ts';
import type { AuditFilter } from '../../contract/methods/firewall.ts';
import type { AuditDecision, AuditRecord, AuditSink, ChainCheck } from '../../domain/audit.ts';
import { needsOwner } from '../../domain/errors.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Label } from '../../domain/label.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { table } from '../output.ts';
import { findRun } from './runs.ts';

export interface AuditFilterOptions {
	readonly text?: string;
	readonly decision?: AuditDecision[];
	readonly label?: Label[];
	readonly sink?: AuditSink[];
	readonly run?: string;
	readonly hours?: number;
}

const MOST_IN_A_LINE = 44;

export async function listAudit(
	{ rpc, output }: CommandContext,
	{ limit = 50, before, ...options }: AuditFilterOptions & { limit?: number; before?: number },
): Promise<number> {
	const filter = await filterOf(rpc, options);
	const page = await rpc.audit.list({ ...filter, limit: Math.min(limit, 500), ...(before !== undefined && { before }) });
	const rows = page.records.map((record) => [
		`${record.seq}`,
		when(record.at),
		record.label,
		record.sink,
		record.decision,
		record.rule,
		record.detail
			? `${oneLine(record.detail.from, MOST_IN_A_LINE)} → ${oneLine(record.detail.to, MOST_IN_A_LINE)}`
			: '(the detail was forgotten)',
	]);
	const none = page.total === 0 ? 'Nothing has crossed yet.' : 'There is no such record.';
	const last = page.records.at(-1)?.seq;
	const more = page.hasMore ? `\n\nOlder ones: --before ${last}` : '';
	const heads = ['NUMBER', 'WHEN', 'LABEL', 'SINK', 'DECISION', 'RULE', 'FROM → TO'];
	output.result(page, rows.length > 0 ? table([heads, ...rows]) + more : none);
	return EXIT.ok;
}

export async function showAuditRecord({ rpc, output }: CommandContext, seq: number): Promise<number> {
	const view = await rpc.audit.get({ seq });
	const { record } = view;
	output.result(
		view,
		[...recordLines(record), ...(view.run ? [['Run', `${view.run.title} (${view.run.runId})`]] : [])]
			.map(([name, text]) => `${`${name}`.padEnd(12)}${text}`)
			.join('\n'),
	);
	return EXIT.ok;
}

function recordLines(record: AuditRecord): string[][] {
	const { detail } = record;
	return [
		['Record', `${record.seq}, ${when(record.at)}`],
		['Decision', `${record.sink}: ${record.decision} (${record.rule})`],
		...(detail
			? [
					['From', detail.from],
					['To', detail.to],
					['Why', detail.reason],
					...(detail.outcome === undefined ? [] : [['Outcome', detail.outcome]]),
					...detail.sources.map(({ label, name }) => ['Seen', `${label}: ${name}`]),
				]
			: [['Detail', 'was forgotten']]),
		['Label', record.label],
		...(record.risk === 'none' ? [] : [['Risk', `${record.risk}: ${[...new Set(record.flags.map(({ kind }) => kind))].join(', ')}`]]),
		...(record.textHash === null ? [] : [['Text', record.textHash]]),
		['Before', record.previousHash],
		['This', record.hash],
	];
}

/** Fails where the chain is broken, so that a script notices. */
export async function verifyAudit({ rpc, output }: CommandContext): Promise<number> {
	const check = await rpc.audit.verify();
	output.result(check, checkText(check));
	return check.whole ? EXIT.ok : EXIT.failed;
}

function checkText({ whole, records, forgotten, problem, breaks, headHash }: ChainCheck): string {
	const lines = [
		whole ? `The chain is whole: ${records} records.` : `The chain is broken. ${problem}`,
		...(forgotten > 0 ? [`The details of ${forgotten} were forgotten, each accounted for.`] : []),
		...(breaks.length > 0 ? [`It had been found broken before: record ${breaks.join(', ')} says how.`] : []),
		...(headHash === null ? [] : [`Its last hash: ${headHash}`]),
	];
	return lines.join('\n');
}

export async function exportAudit({ rpc, output }: CommandContext, file: string, options: AuditFilterOptions): Promise<number> {
	const filter = await filterOf(rpc, options);
	// Not over an existing file: it may be anything.
	const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
		throw needsOwner('conflict', error.code === 'EEXIST' ? `${file} exists already.` : `${file} can’t be written.`, {
			safe: 'Nothing was written.',
			action: 'Choose another name.',
			cause: error,
		});
	});
	let records = 0;
	try {
		for (let after: number | undefined, more = true; more; ) {
			const part = await rpc.audit.export({ ...filter, ...(after !== undefined && { after }) });
			await handle.writeFile(part.text);
			records += part.records;
			after = part.next;
			more = after !== undefined;
		}
	} finally {
		await handle.close();
	}
	output.result({ file, records }, `Saved ${records} records in ${file}. docs/firewall.md says how to check them without Hearth.`);
	return EXIT.ok;
}

async function filterOf(rpc: HearthClient, { text, decision, label, sink, run, hours }: AuditFilterOptions): Promise<AuditFilter> {
	return {
		...(text !== undefined && { text }),
		...(decision && { decisions: decision }),
		...(label && { labels: label }),
		...(sink && { sinks: sink }),
		// Records outlive their run.
		...(run !== undefined && { runId: run.length === 36 ? (run as RunId) : (await findRun(rpc, run)).id }),
		...(hours !== undefined && { since: Date.now() - hours * 3_600_000 }),
	};
}
