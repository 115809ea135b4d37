import type { RunStep } from '../../src/contract/methods/runs.ts';
import type { RunKind, RunSummary } from '../../src/domain/run.ts';
import type { Say, StringId } from '../ui/strings.tsx';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something took: `12 ms`, `0.4 s`, `21 s`, `3 min 5 s`, `1 h 12 min`, `2 d 3 h`. The smaller unit goes when it says nothing. */
export function duration(say: Say, ms: number): string {
	const time = Math.max(0, Math.round(ms));
	if (time < 100) return say('timeline.ms', { value: time });
	if (time < 10 * SECOND) return say('timeline.seconds', { value: time / SECOND });
	if (time < MINUTE - SECOND / 2) return say('timeline.seconds', { value: Math.round(time / SECOND) });
	if (time < 10 * MINUTE) {
		const seconds = Math.round(time / SECOND);
		return say('timeline.minutes', { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
	}
	const minutes = Math.round(time / MINUTE);
	if (minutes < 60) return say('timeline.minutes', { minutes, seconds: 0 });
	if (minutes < DAY / MINUTE) return say('timeline.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
	const hours = Math.round(time / HOUR);
	return say('timeline.days', { days: Math.floor(hours / 24), hours: hours % 24 });
}

export type Mark = 'done' | 'failed' | 'running' | 'waiting' | 'stale' | 'pending' | 'alert';

export interface StateWords {
	readonly mark: Mark;
	readonly id: StringId;
	/** `time` is to be filled from it, where the words have a time. */
	readonly until?: number;
	readonly step?: number;
}

/** How a run stands. `short`: for a line that holds little. */
export function stateOf(run: Pick<RunSummary, 'status' | 'step' | 'waitsFor' | 'waitsUntil'>, short = false): StateWords {
	switch (run.status) {
		case 'running':
			return { mark: 'running', id: 'timeline.state.running' };
		case 'waiting':
			return { mark: 'pending', id: 'timeline.state.waiting' };
		case 'sleeping':
			return sleeping(run, short);
		case 'interrupted':
			return { mark: 'alert', id: 'timeline.state.interrupted' };
		case 'done':
			return { mark: 'done', id: 'timeline.state.done' };
		case 'failed':
			return run.step > 0
				? { mark: 'failed', id: 'timeline.state.failed', step: run.step }
				: { mark: 'failed', id: 'timeline.state.failedEarly' };
		case 'stopped':
			return { mark: 'stale', id: 'timeline.state.stopped' };
	}
}

function sleeping({ waitsFor, waitsUntil }: Pick<RunSummary, 'waitsFor' | 'waitsUntil'>, short: boolean): StateWords {
	if (waitsFor === 'child') return { mark: 'waiting', id: 'timeline.state.child' };
	if (waitsFor === 'event') {
		return waitsUntil === undefined || short
			? { mark: 'waiting', id: 'timeline.state.event' }
			: { mark: 'waiting', id: 'timeline.state.eventUntil', until: waitsUntil };
	}
	if (waitsUntil === undefined) return { mark: 'waiting', id: 'timeline.state.sleeping' };
	return { mark: 'waiting', id: short ? 'timeline.state.sleepingUntilShort' : 'timeline.state.sleepingUntil', until: waitsUntil };
}

/** What a model answers to a look is for programs: it is said in words what it did. */
export function stepTitle(say: Say, kind: RunKind, step: Pick<RunStep, 'kind' | 'status' | 'title'>): string {
	return kind === 'heartbeat' && step.kind === 'model' && step.status === 'done' ? say('timeline.lookStep') : step.title;
}

const STEP_MARKS: Record<RunStep['status'], Mark> = {
	running: 'running',
	waiting: 'pending',
	done: 'done',
	failed: 'failed',
	denied: 'failed',
	skipped: 'stale',
	unknown: 'alert',
	stopped: 'stale',
};

/** A step that waits for the owner is theirs; one that waits for a time, an event or a sub-agent is not. */
export function stepMark({ status, kind }: Pick<RunStep, 'status' | 'kind'>): Mark {
	if (status === 'waiting' && (kind === 'timer' || kind === 'event' || kind === 'child')) return 'waiting';
	return STEP_MARKS[status];
}
