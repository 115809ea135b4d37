import type { ErrorShape } from '../domain/errors.ts';
import type { LostTail } from '../run/witness.ts';

/** For entries of memory files that the ledger does not know at such a start. */
export const UNSURE_OF_MEMORY = 'It was found in the file after state.db had lost its last writes, so nobody can say who wrote it.';

/** What the owner is told where the database is an earlier state than the second record knows of. */
export function journalCut({ from, until, runs, effects }: LostTail): ErrorShape {
	const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
	const when = from === until ? `at ${time.format(from)}` : `between ${time.format(from)} and ${time.format(until)}`;
	const asked = effects.length === 0 ? '' : ' Before a tool is run that may have run already, you are asked whether it did.';
	return {
		kind: 'needs_owner',
		code: 'journal_cut',
		message: `The database lost its last writes: what ${runs.length === 1 ? 'one run' : `${runs.length} runs`} did ${when} may be missing.`,
		safe: `Everything before that is whole.${asked}`,
		action: 'Look at what was at work then. A daily back-up has what was saved before it was made.',
	};
}
