import { type RefObject, useEffect, useRef } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { PermissionTerms } from '../../src/domain/permission.ts';
import type { TaskTest } from '../../src/domain/task.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { runPlace } from '../timeline/place.ts';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { limitWords, scopeWords } from '../ui/permission-words.ts';
import { useSay } from '../ui/strings.tsx';
import { useIsNoAi } from './no-ai.ts';

interface TestRunProps {
	test: TaskTest;
	/** The task was changed since. */
	outdated: boolean;
	granted: readonly PermissionTerms[];
	onGrant: (terms: PermissionTerms, on: boolean) => void;
}

const MARKS = { running: 'running', done: 'done', failed: 'failed', stopped: 'stale' } as const;

/** What a test run said, and what it would have done: each to be permitted to the task, where that can be. */
export function TestRun({ test, outdated, granted, onGrant }: TestRunProps) {
	const say = useSay();
	const { state, text, label, needs, tokens, costUsd, error, runId, draft } = test;
	const noAi = useIsNoAi(draft.work) && state === 'done';
	const part = useInView(state);
	return (
		<section ref={part} className="test-run" aria-labelledby="test-title">
			<header>
				<h3 id="test-title" className="grow" tabIndex={-1}>
					{say('tasks.test.title')}
				</h3>
				<span role="status">
					<StateMark state={noAi ? 'stale' : MARKS[state]}>{say(noAi ? 'tasks.test.noAi' : `tasks.test.${state}`)}</StateMark>
				</span>
			</header>
			{outdated ? <p className="meta">{say('tasks.test.outdated')}</p> : null}
			{error ? <ErrorNote error={error} /> : null}
			{text === '' ? null : (
				<>
					<p className="part-name">
						{say('tasks.test.said')} <TrustLabel label={label} quiet />
					</p>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
					<div className="well test-text" dir="auto" tabIndex={0}>
						<Markdown text={text} streaming={false} />
					</div>
				</>
			)}
			{state === 'running' ? null : <Needs needs={needs} granted={granted} onGrant={onGrant} />}
			<p className="meta num test-foot">
				<span>
					{[say('tasks.tokens', { count: tokens }), costUsd > 0 ? say('tasks.cost', { cost: costUsd }) : ''].filter(Boolean).join(' · ')}
				</span>
				{runId ? (
					<Link className="lnk" href={runPlace(runId)}>
						{say('tasks.openRun')}
					</Link>
				) : null}
			</p>
		</section>
	);
}

/** Its end comes into view once it is there: what it said grows below what was seen. */
function useInView(state: TaskTest['state']): RefObject<HTMLElement | null> {
	const part = useRef<HTMLElement>(null);
	const before = useRef(state);
	useEffect(() => {
		if (before.current === 'running' && state !== 'running') part.current?.scrollIntoView({ block: 'nearest' });
		before.current = state;
	}, [state]);
	return part;
}

function Needs({ needs, granted, onGrant }: Pick<TaskTest, 'needs'> & Pick<TestRunProps, 'granted' | 'onGrant'>) {
	const say = useSay();
	const intl = useIntl();
	if (needs.length === 0) return <p className="meta">{say('tasks.test.noNeeds')}</p>;
	const given = new Set(granted.map((terms) => JSON.stringify(terms)));
	return (
		<>
			<p className="part-name">{say('tasks.test.needs')}</p>
			<ul className="needs">
				{needs.map(({ tool, title, what, terms, allowed }, index) => {
					const key = `${index}:${tool}:${what}`;
					const words = (
						<span>
							<b>{title}</b>
							{what === title ? null : (
								<span className="block break" dir="auto">
									{what}
								</span>
							)}
							{terms ? (
								<span className="meta block">
									{say('tasks.test.allow', { what: [scopeWords(say, terms.scope), ...limitWords(say, intl, terms)].join(', ') })}
								</span>
							) : null}
							{allowed ? <span className="meta block">{say('tasks.test.allowed')}</span> : null}
							{terms || allowed ? null : <span className="meta block">{say('tasks.test.asksEach')}</span>}
						</span>
					);
					return (
						<li key={key}>
							{terms && !allowed ? (
								<label className="choice">
									<input
										type="checkbox"
										checked={given.has(JSON.stringify(terms))}
										onChange={({ target }) => onGrant(terms, target.checked)}
									/>
									{words}
								</label>
							) : (
								<div className="choice plain">{words}</div>
							)}
						</li>
					);
				})}
			</ul>
		</>
	);
}
