import { type ApproveFindingOptions, approveFinding, listFindings, rejectFinding, showFinding } from './commands/findings.ts';
import { approveProposal, listInbox, rebaseProposal, rejectProposal, showProposal, undoDecision } from './commands/inbox.ts';
import { type CommandRoots, wholeNumber } from './memory-commands.ts';

export function addInboxCommands({ group, withDoor }: CommandRoots): void {
	const inbox = group('inbox', 'changes to memory that wait for your yes: list, show, approve, reject, rebase, undo');
	inbox
		.command('list')
		.description('what waits, oldest first')
		.option('--decided', 'what is decided, instead')
		.option('-l, --limit <count>', 'most of them (at most 1000)', wholeNumber)
		.action((options: { decided?: boolean; limit?: number }) => withDoor((context) => listInbox(context, options))());
	inbox
		.command('show <id>')
		.description('all of one: the change, its label, its sources, why it was held')
		.action((id: string) => withDoor((context) => showProposal(context, id))());
	inbox
		.command('approve <id>')
		.description('let it into memory; asks, at a terminal')
		.option('--text <text>', 'with this text instead')
		.action((id: string, options: { text?: string }) => withDoor((context) => approveProposal(context, id, options))());
	inbox
		.command('reject <id>')
		.description('turn it down; asks, at a terminal')
		.option('--reason <words>', 'why')
		.action((id: string, options: { reason?: string }) => withDoor((context) => rejectProposal(context, id, options))());
	inbox
		.command('rebase <id>')
		.description('point a stale one at its target as it is now')
		.action((id: string) => withDoor((context) => rebaseProposal(context, id))());
	inbox
		.command('undo <id>')
		.description('take a decision back, and what it wrote; asks, at a terminal')
		.action((id: string) => withDoor((context) => undoDecision(context, id))());
}

export function addFindingsCommands({ group, withDoor }: CommandRoots): void {
	const findings = group('findings', 'what background work found and what waits for your yes: list, show, approve, reject');
	findings
		.command('list')
		.description('what waits, oldest first: source, age, urgency, label')
		.option('--decided', 'what is decided, instead')
		.option('--snoozed', 'what you put off, instead')
		.option('-l, --limit <count>', 'most of them (at most 1000)', wholeNumber)
		.action((options: { decided?: boolean; snoozed?: boolean; limit?: number }) => withDoor((context) => listFindings(context, options))());
	findings
		.command('show <id>')
		.description('all of one: what it would do, its label, the words it rests on')
		.action((id: string) => withDoor((context) => showFinding(context, id))());
	findings
		.command('approve <id>')
		.description('say yes to it; asks, at a terminal, and needs --hash with --json')
		.option('--text <text>', 'with this text instead')
		.option('--file <file>', 'into this file of memory instead')
		.option('--heading <heading...>', 'under these headings of the file, from the outermost on')
		.option('--due <time>', 'of something to do: when to remind you, such as 2026-12-03T09:00')
		.option('--hash <hash>', 'of what you were shown (shownHash), instead of an answer at a terminal')
		.action((id: string, options: ApproveFindingOptions) => withDoor((context) => approveFinding(context, id, options))());
	findings
		.command('reject <id>')
		.description('turn it down; asks, at a terminal, and needs --hash with --json')
		.option('--reason <words>', 'why')
		.option('--hash <hash>', 'of what you were shown (shownHash), instead of an answer at a terminal')
		.action((id: string, options: { reason?: string; hash?: string }) => withDoor((context) => rejectFinding(context, id, options))());
}
