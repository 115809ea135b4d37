/** The view's side of the contract: one connection, and stores that hold what the runtime said. No rules live here. */
export { call } from './calls.ts';
export { useConnection } from './connection-store.ts';
export { shapeOf } from './errors.ts';
export {
	onFindingsWait,
	onInstanceChanged,
	onMemoryChanged,
	onProposalsChanged,
	onReminderDue,
	onRunChanged,
	onTaskTold,
	type SeenProposal,
} from './live.ts';
export { useSessions } from './sessions-store.ts';
export { shell } from './shell.ts';
export { startConnection } from './start.ts';
