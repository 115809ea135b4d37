import { useState } from 'react';
import { useLocation } from 'wouter';
import type { HeartbeatTick, TickOutcome } from '../../../src/domain/heartbeat.ts';
import { shapeOf } from '../../connection/index.ts';
import { useLooks } from '../../shell/queries.ts';
import { useWhen } from '../../timeline/marks.tsx';
import { runPlace } from '../../timeline/place.ts';
import { Button } from '../../ui/button.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row } from '../row.tsx';
import { lookWords } from './look-words.ts';

const FIRST = 8;
const MORE = 100;

const MARKS = {
	reading: 'running',
	thinking: 'running',
	done: 'done',
	nothing_new: 'stale',
	held: 'waiting',
	failed: 'failed',
	stopped: 'stale',
} as const satisfies Record<TickOutcome, string>;

/** What became of the last looks; those that asked a model lead to its runs. */
export function Looks() {
	const say = useSay();
	const [all, setAll] = useState(false);
	const { data, error } = useLooks(all ? MORE : FIRST);
	return (
		<>
			<h3>{say('background.looks')}</h3>
			{error ? <ErrorNote error={shapeOf(error)} /> : null}
			{data?.length === 0 ? <p className="meta">{say('background.looksNone')}</p> : null}
			{data && data.length > 0 ? (
				<div className="tbl looks">
					{data.map((look) => (
						<LookRow key={look.id} look={look} />
					))}
				</div>
			) : null}
			{!all && data?.length === FIRST ? (
				<Button kind="ghost" size="sm" className="looks-more" onClick={() => setAll(true)}>
					{say('background.look.more')}
				</Button>
			) : null}
		</>
	);
}

function LookRow({ look }: { look: HeartbeatTick }) {
	const say = useSay();
	const when = useWhen();
	const at = when(look.startedAt);
	return (
		<Row title={`${at} · ${say('background.look.by', { by: look.by })}`} hint={lookWords(say, look)}>
			<StateMark state={MARKS[look.outcome]}>{say(`background.look.${look.outcome}`)}</StateMark>
			<LookRuns look={look} at={at} />
		</Row>
	);
}

/** Most looks have no run, or one. */
function LookRuns({ look: { runIds }, at }: { look: HeartbeatTick; at: string }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const [first] = runIds;
	if (!first) return null;
	if (runIds.length === 1) {
		return (
			<Button size="sm" aria-label={say('background.look.openOf', { at })} onClick={() => navigate(runPlace(first))}>
				{say('background.look.open')}
			</Button>
		);
	}
	return (
		<Menu
			trigger={
				<Button size="sm" aria-label={say('background.look.runsOf', { at })}>
					{say('background.look.runs', { count: runIds.length })}
				</Button>
			}
		>
			{runIds.map((runId, index) => (
				<MenuItem key={runId} icon="timeline" onClick={() => navigate(runPlace(runId))}>
					{say('background.look.run', { number: index + 1 })}
				</MenuItem>
			))}
		</Menu>
	);
}
