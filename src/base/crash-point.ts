/**
 * Named places where a test kills the process to prove that what follows can be made good. In production a crash point
 * does nothing. A name says what has already happened when it is passed.
 */
export const CRASH_POINTS = [
	'file.written', // the temporary file is complete and synced, not yet renamed
	'file.looked', // after the last look at the old file, right before the rename
	'file.renamed', // renamed, folder not yet synced
	'file.removed', // removed, folder not yet synced
	'file.moving', // what is to be moved is whole, and still has its old name
	'file.moved',
	'database.created', // a new state.db is complete beside its final name
	'migration.backed_up', // the back-up stands, the migration has not begun
	'migration.applied', // the schema is changed, the transaction still open
	'transaction.open', // all of a transaction is done, nothing of it committed
	'transaction.committed',
	'chat.accepted', // message and run are committed, the run has not begun
	'journal.before_append',
	'journal.appended', // an event is committed (R1)
	'step.started', // a step's start is committed, its effect has not begun
	'effect.witnessed', // the second record names an effect that is about to begin
	'effect.done', // the effect happened, its result is not in the journal
	'stream.flushed', // a batch of streamed text is committed
	'interrupt.opened',
	'interrupt.answered', // the owner's answer is committed, the run has not resumed
	'effect.verified', // the tool has said what became of an effect, its word is not in the journal
	'wait.ended', // what a run slept for is in its journal, the run has not gone on
	'run.finished',
	'run.forked', // a copied past and its run are committed, the run has not begun
	'restore.intended', // what is to be put back is a row, nothing is yet
	'restore.files_back',
	'restore.memory_back', // files and memory are as they were, the chat is not
	'restore.done',
	'restore.undo_intended',
	'timer.claimed', // slots are claimed, nobody is told yet
	'timer.told', // what the slot was about is written down, the slot may still be there
	'workflow.moved', // an event of an instance is committed, what follows from it is not begun
	'workflow.began', // the run of a state is committed, and has not begun
	'workflow.ended', // the run of a state is over, the instance does not know
	'memory.intended', // a write intent is committed, the file is as it was
	'memory.written', // the file is renamed into place, ledger and index know nothing of it
	'memory.done', // ledger and intent are committed, the index is behind
	'memory.reconciled', // an outside change is in the ledger, the index is behind
	'memory.indexed',
	'index.rebuilt', // the shadow index is whole, the old one still in place
	'skill.intended', // a change of a skill is committed as intended, the file is as it was
	'skill.written', // the file is as it is meant to be, and does not count yet
	'skill.done',
	'workspace.intended', // a change of a file in workspace/ is committed as intended, the file is as it was
	'workspace.written', // the file is as it is meant to be, the ledger calls it intended
	'workspace.done',
	'proposal.approved', // the owner's yes is committed, memory is as it was
	'proposal.held', // what waits for the owner is a row, its proposer does not know
	'source.read', // what a source brought is committed with its cursor
	'heartbeat.claimed', // a look has its row, nothing is read yet
	'heartbeat.began', // the run of a look is committed with the items it considers, and has not begun
	'heartbeat.ended', // the run of a look is over, its findings are not written
	'heartbeat.found', // its findings wait for the owner, its items still count as being looked at
	'source.withdrawn', // a source's pending findings are gone and it is marked, what was approved of it is not forgotten yet
	'task.claimed', // a slot has its row and the next slot is set; where it runs at once its run is committed, and has not begun
	'task.began', // the run of a queued occurrence is committed, and has not begun
	'task.ended', // the run of an occurrence is over, its row does not know
	'task.settled', // the row says how it ended, its result is not delivered
	'task.delivered', // its result is where it belongs, the row does not know
	'task.event', // what fired a trigger is a row, nothing was begun for it
	'forget.scrubbed', // state.db no longer holds the text; files, index, logs, back-ups still may
] as const;
export type CrashPointName = (typeof CRASH_POINTS)[number];

let hook: ((name: CrashPointName) => void) | undefined;

export function crashPoint(name: CrashPointName): void {
	hook?.(name);
}

/** For test processes only. Returns a function that removes the hook. */
export function onCrashPoint(listener: (name: CrashPointName) => void): () => void {
	hook = listener;
	return () => {
		if (hook === listener) hook = undefined;
	};
}
