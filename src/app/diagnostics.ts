import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DoctorReport } from '../contract/methods/system.ts';
import type { ExportedFile } from '../contract/shapes.ts';

/** Most log text in one file, in UTF-16 units; the newest lines win. */
const LOG_LIMIT = 2_000_000;

/** One text file for a bug report: the doctor's report and the logs, which hold no message text and no secrets (S3). */
export async function diagnosticsFile(report: DoctorReport, logsFolder: string, now: number): Promise<ExportedFile> {
	const when = new Date(now).toISOString();
	const text = [
		`Hearth diagnostics, ${when}`,
		'Versions, checks and logs. No messages, no keys. Read it before you send it.',
		'',
		formatReport(report),
		'',
		'=== Logs ===',
		await readLogs(logsFolder),
	].join('\n');
	return {
		filename: `hearth-diagnostics-${when.slice(0, 19).replaceAll(':', '-')}.txt`,
		mime: 'text/plain',
		text: withoutHome(text, homedir()),
	};
}

/** The name of the user is nobody's business. A home that is the root of everything tells none. */
function withoutHome(text: string, home: string): string {
	return home.length > 1 ? text.replaceAll(home, '~') : text;
}

/** The report as people read it, also in the terminal. */
export function formatReport(report: DoctorReport): string {
	const signs = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' };
	const pairs = (record: Record<string, string | number>): string[] => Object.entries(record).map(([name, value]) => `  ${name}: ${value}`);
	return [
		...report.checks.flatMap((check) => [
			`${signs[check.state]}  ${check.title}: ${check.detail}`,
			...(check.action && check.state !== 'ok' ? [`         → ${check.action}`] : []),
		]),
		'',
		'Versions',
		...pairs(report.versions),
		`Runtime: ${report.hostMode}${report.electronRuntime ? `; ${report.electronRuntime}` : ''}`,
		`Schema of state.db: ${report.schemaVersion}`,
		'Places',
		...pairs(report.paths),
		'Bytes',
		...pairs(report.sizes),
		'',
		verdict(report),
	].join('\n');
}

function verdict({ ok, checks }: DoctorReport): string {
	if (!ok) return 'Something needs you: see what is marked FAILED.';
	const warnings = checks.filter((check) => check.state === 'warning').length;
	if (warnings === 0) return 'All is well.';
	return `Works; ${warnings} ${warnings === 1 ? 'thing' : 'things'} to look at: see what is marked warning.`;
}

async function readLogs(folder: string): Promise<string> {
	const files = (await readdir(folder).catch(() => [] as string[]))
		.filter((name) => name.endsWith('.log'))
		.sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
	const parts: string[] = [];
	let left = LOG_LIMIT;
	for (const name of files) {
		if (left <= 0) break;
		const text = await readFile(join(folder, name), 'utf8');
		const kept = text.length > left ? text.slice(text.indexOf('\n', text.length - left) + 1) : text;
		left -= kept.length;
		parts.unshift(`--- ${name}\n${kept}`);
	}
	return parts.join('\n');
}

/** `hearth-2026-11-29.log` is older than its `….1.log`, and that than `….10.log`. */
function orderOf(name: string): string {
	const [, day = name, part = ''] = /^(.*?)(?:\.(\d+))?\.log$/.exec(name) ?? [];
	return `${day} ${part.padStart(9, '0')}`;
}
