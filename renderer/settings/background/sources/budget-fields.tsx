import { WatchedBudget } from '../../../../src/domain/heartbeat.ts';
import { Field } from '../../../ui/controls.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { MinutesSelect } from '../minutes-select.tsx';

/** Limits of a source as they are typed. */
export interface BudgetDraft {
	readonly everyMinutes: number;
	readonly findingsPerDay: string;
	readonly itemsPerDay: string;
}

const EVERY = [15, 30, 60, 180, 360, 720, 1440, 10_080] as const;
const MOST = { findingsPerDay: 200, itemsPerDay: 10_000 } as const;

export function budgetDraft(budget: WatchedBudget = WatchedBudget.parse({})): BudgetDraft {
	return { ...budget, findingsPerDay: String(budget.findingsPerDay), itemsPerDay: String(budget.itemsPerDay) };
}

/** Undefined while a number does not fit. */
export function typedBudget({ everyMinutes, findingsPerDay, itemsPerDay }: BudgetDraft): WatchedBudget | undefined {
	return WatchedBudget.safeParse({ everyMinutes, findingsPerDay: Number(findingsPerDay), itemsPerDay: Number(itemsPerDay) }).data;
}

interface BudgetFieldsProps {
	draft: BudgetDraft;
	onChange: (change: Partial<BudgetDraft>) => void;
}

/** How often a source may be read, and how much of it is looked at. */
export function BudgetFields({ draft, onChange }: BudgetFieldsProps) {
	const say = useSay();
	return (
		<>
			<div className="form-field">
				<span className="form-label">{say('sources.every')}</span>
				<MinutesSelect
					label={say('sources.every')}
					options={EVERY}
					value={draft.everyMinutes}
					onChange={(everyMinutes) => onChange({ everyMinutes })}
				/>
			</div>
			<details className="advanced">
				<summary>{say('sources.budget')}</summary>
				{(['findingsPerDay', 'itemsPerDay'] as const).map((key) => (
					<Field
						key={key}
						label={say(`sources.${key}`)}
						value={draft[key]}
						onChange={(typed) => onChange({ [key]: typed })}
						error={
							WatchedBudget.shape[key].safeParse(Number(draft[key])).success ? undefined : say('sources.range', { from: 1, to: MOST[key] })
						}
						inputMode="numeric"
					/>
				))}
			</details>
		</>
	);
}
