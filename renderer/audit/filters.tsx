import { useEffect, useState } from 'react';
import { AuditDecision, AuditSink } from '../../src/domain/audit.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { LABELS } from '../../src/domain/label.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ManyOf } from '../ui/many-of.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { choose, useLog } from './audit-store.ts';
import { EVERYTHING, isFiltered, TIMES, type TimeChoice } from './filter.ts';
import { useRunChoices } from './queries.ts';

/** After the last key, in milliseconds. */
const TYPED_MS = 250;
const ANY_RUN = 'any';

/** What is left out of the log. */
export function Filters() {
	const say = useSay();
	const chosen = useLog((state) => state.chosen);
	return (
		<fieldset className="filters">
			<legend className="vh">{say('audit.filters')}</legend>
			<SearchBox />
			<ManyOf
				name={say('audit.filter.decision')}
				options={AuditDecision.options.map((value) => ({ value, label: say(`audit.decision.${value}`) }))}
				chosen={chosen.decisions}
				onChange={(decisions) => choose({ decisions })}
			/>
			<ManyOf
				name={say('audit.filter.label')}
				options={LABELS.map((value) => ({ value, label: say(`label.${value}`) }))}
				chosen={chosen.labels}
				onChange={(labels) => choose({ labels })}
			/>
			<ManyOf
				name={say('audit.filter.sink')}
				options={AuditSink.options.map((value) => ({ value, label: say(`audit.sink.${value}`) }))}
				chosen={chosen.sinks}
				onChange={(sinks) => choose({ sinks })}
			/>
			<RunFilter />
			<OneOf
				name={say('audit.filter.time')}
				none="any"
				value={chosen.time}
				options={TIMES.map((value) => ({ value, label: say(`audit.time.${value}`) }))}
				onChange={(time) => choose({ time: time as TimeChoice })}
			/>
			{isFiltered(chosen) ? (
				<Button kind="ghost" size="sm" icon="x" onClick={() => choose(EVERYTHING)}>
					{say('common.filterClear')}
				</Button>
			) : null}
		</fieldset>
	);
}

/** Looks once nothing was typed for a moment. */
function SearchBox() {
	const say = useSay();
	const text = useLog((state) => state.chosen.text);
	const [typed, setTyped] = useState(text);
	useEffect(() => setTyped(text), [text]);
	useEffect(() => {
		if (typed === text) return;
		const timer = setTimeout(() => choose({ text: typed }), TYPED_MS);
		return () => clearTimeout(timer);
	}, [typed, text]);
	return (
		<div className="searchbox">
			<Icon name="search" size="s" />
			<input
				className="field"
				type="search"
				aria-label={say('audit.search')}
				placeholder={say('audit.searchHint')}
				maxLength={200}
				value={typed}
				onChange={(event) => setTyped(event.target.value)}
			/>
		</div>
	);
}

function RunFilter() {
	const say = useSay();
	const runId = useLog((state) => state.chosen.runId);
	const runs = useRunChoices().data?.runs ?? [];
	const known = runs.map(({ id, title, kind }) => ({ value: id as string, label: title || say('timeline.kindOf', { kind }) }));
	const other =
		runId !== undefined && !known.some(({ value }) => value === runId) ? [{ value: runId as string, label: say('audit.thisRun') }] : [];
	return (
		<OneOf
			name={say('audit.filter.run')}
			none={ANY_RUN}
			value={runId ?? ANY_RUN}
			options={[{ value: ANY_RUN, label: say('audit.anyRun') }, ...other, ...known]}
			onChange={(value) => choose({ runId: value === ANY_RUN ? undefined : (value as RunId) })}
		/>
	);
}

interface OneOfProps {
	name: string;
	/** The value that leaves nothing out. */
	none: string;
	value: string;
	options: { value: string; label: string }[];
	onChange: (value: string) => void;
}

function OneOf({ name, none, value, options, onChange }: OneOfProps) {
	const label = options.find((option) => option.value === value)?.label ?? value;
	const trigger = (
		<button type="button" className={value === none ? 'chip' : 'chip on'}>
			<span className="cut">{value === none ? name : label}</span>
			<Icon name="down" />
		</button>
	);
	return (
		<Menu trigger={trigger} align="start">
			<MenuChoice value={value} options={options} onChange={onChange} />
		</Menu>
	);
}
