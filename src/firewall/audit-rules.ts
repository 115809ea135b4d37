/** The rules under which Hearth itself writes records, beside those of `policy.yaml` (S1). */
export const AUDIT_RULES = {
	/** The log was found not to be the one that was known. */
	broken: 'audit.broken',
	/** Details went because the owner had a text forgotten. */
	forgotten: 'audit.forgotten',
	/** This profile was made of a back-up. */
	restored: 'audit.restored',
	/** Something was written where only the owner and their programs see it. */
	exported: 'export.owner',
	promptModel: 'prompt.model',
	replyShown: 'reply.shown',
	memoryWritten: 'memory.written',
	fileWritten: 'file.written',
	skillWritten: 'skill.written',
	networkCall: 'network.call',
	command: 'shell.command',
	messageSent: 'message.sent',
	proposal: 'owner.proposal',
	/** A scheduled or triggered task is made, changed, removed, or run by the owner's word. */
	task: 'owner.task',
	/** The owner's word on whether text of their sources may go to a model elsewhere, or that costs money. */
	backgroundModel: 'owner.background_model',
} as const;
