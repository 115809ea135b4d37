import type { Check } from '../contract/methods/system.ts';
import type { ServerState } from '../domain/tool-server.ts';

/** What is looked at of a server. */
export interface ServerSeen {
	readonly server: { readonly title: string; readonly enabled?: boolean | undefined };
	readonly state: ServerState;
	readonly tools: { readonly waiting: number };
}

/** How the tool servers stand, in a sentence or two. */
export function toolServersFinding(views: readonly ServerSeen[]): Pick<Check, 'state' | 'detail' | 'action'> {
	const on = views.filter(({ server }) => server.enabled !== false);
	if (on.length === 0) return { state: 'ok', detail: views.length === 0 ? 'None is set up.' : 'All are switched off.' };
	const waiting = on.filter(({ tools }) => tools.waiting > 0).map(({ server }) => server.title);
	const broken = on.flatMap(({ server, state }) => {
		if (state.kind === 'needs_sign_in') return [`${server.title} wants you to sign in.`];
		return 'error' in state ? [`${server.title}: ${state.error.message}`] : [];
	});
	const told = [...broken, ...(waiting.length > 0 ? [`Tools wait for you to look at them: ${waiting.join(', ')}.`] : [])];
	if (told.length > 0)
		return { state: 'warning', detail: told.join(' '), action: 'Look at Settings, Tool servers, or run: hearth servers list' };
	return { state: 'ok', detail: `${on.map(({ server }) => server.title).join(', ')}: no problems.` };
}
