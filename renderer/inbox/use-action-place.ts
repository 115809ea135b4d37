import type { Interrupt } from '../../src/domain/run.ts';
import { useSessions } from '../connection/index.ts';
import { useRunDetail } from '../timeline/queries.ts';
import { useSay } from '../ui/strings.tsx';

/** What asks: a chat by its title; a state with its workflow, or delegated work, by the title of its run. */
export function useActionPlace(interrupt: Interrupt | undefined): string {
	const say = useSay();
	const session = useSessions((state) => (interrupt ? state.byId[interrupt.sessionId] : undefined));
	const run = useRunDetail(session ? undefined : interrupt?.runId).data?.run;
	if (session) return session.title || say('chat.untitled');
	return run?.title ? say('inbox.work', { kind: run.kind, title: run.title }) : say('inbox.ownWork');
}
