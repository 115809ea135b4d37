import { useRef, useState } from 'react';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { ModelRef } from '../../src/domain/model.ts';
import { call, shapeOf } from '../connection/index.ts';
import { modelValue } from '../settings/provider-values.ts';

/** How the chosen model did in its test. */
export type Trial =
	| { readonly state: 'testing'; readonly model: ModelRef }
	| { readonly state: 'answered'; readonly model: ModelRef; readonly totalMs: number }
	| { readonly state: 'failed'; readonly model: ModelRef; readonly error: ErrorShape };

/**
 * The choice of the first run. Each choice is tested by a real completion and saved by the runtime only when that
 * succeeded; a newer choice cuts off the test of an older one and is made after it, so that the last one wins.
 */
export function useFirstChoice() {
	const [trial, setTrial] = useState<Trial>();
	const running = useRef<{ value: string; abort: AbortController; done: Promise<boolean> }>(undefined);

	/** True when the model answered and the choice is saved. */
	const choose = (model: ModelRef): Promise<boolean> => {
		const value = modelValue(model);
		const before = running.current;
		if (before?.value === value && trial?.state !== 'failed') return before.done;
		before?.abort.abort();
		const abort = new AbortController();
		const isLast = (): boolean => running.current?.abort === abort;
		const test = async (): Promise<boolean> => {
			await before?.done;
			if (!isLast()) return false;
			try {
				const result = await call((client) => client.models.choose({ work: 'chat', model }, { signal: abort.signal }));
				if (isLast()) setTrial({ state: 'answered', model, totalMs: result.totalMs });
				return true;
			} catch (error) {
				if (isLast()) setTrial({ state: 'failed', model, error: shapeOf(error) });
				return false;
			}
		};
		setTrial({ state: 'testing', model });
		const done = test();
		running.current = { value, abort, done };
		return done;
	};
	return { trial, choose };
}
