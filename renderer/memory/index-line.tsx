import type { IndexStatus } from '../../src/contract/methods/memory.ts';
import { useConnection } from '../connection/index.ts';
import { useMemoryFiles } from '../shell/queries.ts';
import { StateMark } from '../ui/marks.tsx';
import { type Say, useSay } from '../ui/strings.tsx';

/** How the index stands: what was said last, live or with the files. */
export function useIndexStatus(): IndexStatus | undefined {
	const live = useConnection((state) => state.index);
	const asked = useMemoryFiles().data?.index;
	return live ?? asked;
}

/** One line: what the index is doing, or that all can be found. */
export function IndexLine({ index }: { index: IndexStatus }) {
	const say = useSay();
	const { state, text } = indexWords(say, index);
	return <StateMark state={state}>{text}</StateMark>;
}

export function indexWords(say: Say, index: IndexStatus): { state: 'running' | 'alert' | 'done'; text: string } {
	const { total, done, embedded } = index;
	if (index.state !== 'ready') return { state: 'running', text: say(`memory.index.${index.state}`, { done, total }) };
	if (index.problem) return { state: 'alert', text: say('memory.index.problem') };
	if (index.model === null) return { state: 'done', text: say('memory.index.words') };
	if (embedded < total) return { state: 'running', text: say('memory.index.embedding', { embedded, total }) };
	return { state: 'done', text: say('memory.index.ready', { total }) };
}
