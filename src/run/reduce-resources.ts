import type { MessagePart } from '../domain/message.ts';
import type { LiveResource } from '../domain/tool.ts';
import type { RunEventOf } from './events.ts';
import type { Progress, RunState } from './state.ts';

/** What a new process says of live resources that the old one held, before it goes on with the run. They are lost again with every process. */

/** Undefined where the run holds no such thing, or is not about to go on. */
export function resourcesLost(state: RunState, { reopened, tornDown }: RunEventOf<'resources_lost'>): RunState | undefined {
	const held = new Set(state.progress.resources?.map(({ id }) => id));
	const named = [...reopened, ...tornDown];
	if (named.length === 0 || named.length !== held.size || !named.every(({ id }) => held.has(id))) return undefined;
	const notices = [...reopened.map((one) => notice('resource_reopened', one)), ...tornDown.map((one) => notice('resource_torn_down', one))];
	// Told before the step that comes next: where that is cut off and done again, these stay.
	const told = (at: number): Progress => {
		const { parts } = state.progress;
		return { ...state.progress, resources: reopened, parts: [...parts.slice(0, at), ...notices, ...parts.slice(at)] };
	};
	const moved = <Place extends { readonly fromPart: number }>(place: Place): Place => ({
		...place,
		fromPart: place.fromPart + notices.length,
	});
	switch (state.kind) {
		case 'model_ready':
			return { ...state, progress: told(state.plan.fromPart), plan: moved(state.plan) };
		case 'tool_ready':
			return { ...state, progress: told(state.queue.fromPart), queue: moved(state.queue) };
		case 'tool_approved':
		case 'effect_unknown':
			return { ...state, progress: told(state.judged.fromPart), judged: moved(state.judged) };
		default:
			return undefined;
	}
}

function notice(code: 'resource_reopened' | 'resource_torn_down', { what, tool }: LiveResource): MessagePart {
	return { type: 'notice', code, values: { what, tool } };
}
