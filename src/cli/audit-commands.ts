import { Option } from 'commander';
import { AuditDecision, AuditSink } from '../domain/audit.ts';
import { LABELS } from '../domain/label.ts';
import { type AuditFilterOptions, exportAudit, listAudit, showAuditRecord, verifyAudit } from './commands/audit.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';

export function addAuditCommands({ group, withDoor }: CommandRoots): void {
	const audit = group('audit', 'what crossed from a source to a sink, and what was decided: list, show, verify, export');
	const filtered = (name: string, description: string) =>
		audit
			.command(name)
			.description(description)
			.option('--text <text>', 'in names, rule or hash')
			.addOption(new Option('--decision <decision...>', 'only these').choices(AuditDecision.options))
			.addOption(new Option('--label <label...>', 'only these').choices(LABELS))
			.addOption(new Option('--sink <sink...>', 'only these').choices(AuditSink.options))
			.option('--run <run>', 'of this run: its id, the beginning of one, or “last”')
			.option('--hours <count>', 'not older than so many hours', wholeNumber);
	filtered('list', 'records, newest first')
		.option('-l, --limit <count>', 'most records (at most 500)', wholeNumber)
		.option('--before <number>', 'older than this record', wholeNumber)
		.action((options: AuditFilterOptions & { limit?: number; before?: number }) => withDoor((context) => listAudit(context, options))());
	audit
		.command('show')
		.argument('<number>', 'the number of a record', wholeNumber)
		.description('all of one record, and its place in the chain')
		.action((seq: number) => withDoor((context) => showAuditRecord(context, seq))());
	audit.command('verify').description('reads every record anew and checks the chain').action(withDoor(verifyAudit));
	filtered('export <file>', 'one JSON object a line, to be checked without Hearth (docs/firewall.md)').action(
		(file: string, options: AuditFilterOptions) => withDoor((context) => exportAudit(context, file, options))(),
	);
}
