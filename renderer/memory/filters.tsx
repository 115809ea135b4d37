import { useState } from 'react';
import { LABELS } from '../../src/domain/label.ts';
import { localDay } from '../../src/domain/local-day.ts';
import { Author, SourceKind } from '../../src/domain/memory.ts';
import { useNow } from '../chat/use-now.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { ManyOf } from '../ui/many-of.tsx';
import { Popover } from '../ui/popover.tsx';
import { useSay } from '../ui/strings.tsx';
import { type Chosen, type DateChoice, isFiltered, NOTHING_CHOSEN } from './filter.ts';
import { useMemoryUi } from './memory-ui-store.ts';
import { useDay } from './provenance.tsx';

const PRESETS = ['any', 'today', 'week', 'month', 'year', 'before_year'] as const;

/** What is left out of the list and of a search. */
export function Filters() {
	const say = useSay();
	const chosen = useMemoryUi((state) => state.chosen);
	const set = (change: Partial<Chosen>): void => useMemoryUi.setState({ chosen: { ...chosen, ...change } });
	return (
		<fieldset className="filters">
			<legend className="vh">{say('memory.filters')}</legend>
			<ManyOf
				name={say('memory.filter.author')}
				options={Author.options.map((value) => ({ value, label: say(`memory.author.${value}`) }))}
				chosen={chosen.authors}
				onChange={(authors) => set({ authors })}
			/>
			<ManyOf
				name={say('memory.filter.label')}
				options={LABELS.map((value) => ({ value, label: say(`label.${value}`) }))}
				chosen={chosen.labels}
				onChange={(labels) => set({ labels })}
			/>
			<ManyOf
				name={say('memory.filter.source')}
				options={SourceKind.options.map((value) => ({ value, label: say(`memory.source.${value}`) }))}
				chosen={chosen.sources}
				onChange={(sources) => set({ sources })}
			/>
			<DateFilter value={chosen.date} onChange={(date) => set({ date })} />
			<button type="button" className="chip" aria-pressed={chosen.neverUsed} onClick={() => set({ neverUsed: !chosen.neverUsed })}>
				{say('memory.filter.neverUsed')}
			</button>
			{isFiltered(chosen) ? (
				<Button kind="ghost" size="sm" icon="x" onClick={() => useMemoryUi.setState({ chosen: NOTHING_CHOSEN })}>
					{say('common.filterClear')}
				</Button>
			) : null}
		</fieldset>
	);
}

function DateFilter({ value, onChange }: { value: DateChoice; onChange: (date: DateChoice) => void }) {
	const say = useSay();
	const day = useDay();
	const now = useNow();
	const [open, setOpen] = useState(false);
	const custom = value.kind === 'custom' ? value : { from: '', until: '' };
	const shown =
		value.kind === 'custom'
			? say('memory.date.range', {
					from: value.from ? day(Date.parse(`${value.from}T12:00`)) : '…',
					until: value.until ? day(Date.parse(`${value.until}T12:00`)) : '…',
				})
			: say(`memory.date.${value.kind}`);
	const setDay = (change: Partial<{ from: string; until: string }>): void => {
		const next = { from: custom.from, until: custom.until, ...change };
		onChange(next.from === '' && next.until === '' ? { kind: 'any' } : { kind: 'custom', ...next });
	};
	const trigger = (
		<button type="button" className={value.kind === 'any' ? 'chip' : 'chip on'}>
			{value.kind === 'any' ? say('memory.filter.date') : say('common.filterCount', { name: say('memory.filter.date'), count: shown })}
			<Icon name="down" />
		</button>
	);
	return (
		<Popover trigger={trigger} title={say('memory.filter.date')} open={open} onOpenChange={setOpen} className="date-pop">
			<div className="date-presets">
				{PRESETS.map((kind) => (
					<button
						key={kind}
						type="button"
						className="chip"
						aria-pressed={value.kind === kind}
						onClick={() => {
							onChange({ kind });
							setOpen(false);
						}}
					>
						{say(`memory.date.${kind}`)}
					</button>
				))}
			</div>
			<p className="form-label">{say('memory.date.custom')}</p>
			<div className="two-fields">
				<Field label={say('memory.date.from')} type="date" max={localDay(now)} value={custom.from} onChange={(from) => setDay({ from })} />
				<Field label={say('memory.date.until')} type="date" value={custom.until} onChange={(until) => setDay({ until })} />
			</div>
		</Popover>
	);
}
