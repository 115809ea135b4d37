import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/controls.tsx';
import { useSay } from '../../ui/strings.tsx';
import type { DraftProblems, ValueDraft } from './server-values.ts';

interface ValueFieldsProps {
	legend: string;
	values: readonly ValueDraft[];
	onChange: (values: ValueDraft[]) => void;
	problems: DraftProblems['values'];
}

/** Names and their secret values, which are typed and never shown again. */
export function ValueFields({ legend, values, onChange, problems }: ValueFieldsProps) {
	const say = useSay();
	const change = (key: number, by: Partial<ValueDraft>): void => onChange(values.map((one) => (one.key === key ? { ...one, ...by } : one)));
	const next = Math.max(0, ...values.map(({ key }) => key + 1));
	return (
		<fieldset className="pairs">
			<legend className="form-label">{legend}</legend>
			{values.map(({ key, name, value, stored }, index) => (
				<div className="pair" key={key}>
					<Field
						label={say('servers.valueName', { number: index + 1 })}
						value={name}
						onChange={(typed) => change(key, { name: typed, stored: false })}
						error={problems[key]?.name}
						spellCheck={false}
						autoComplete="off"
					/>
					<Field
						label={say('servers.value', { number: index + 1 })}
						type="password"
						value={value}
						onChange={(typed) => change(key, { value: typed })}
						hint={say(stored ? 'servers.valueKept' : 'servers.valueHint')}
						error={problems[key]?.value}
						autoComplete="off"
					/>
					<IconButton
						icon="x"
						label={say('servers.removeValue', { name: name || say('servers.valueName', { number: index + 1 }) })}
						onClick={() => onChange(values.filter((one) => one.key !== key))}
					/>
				</div>
			))}
			<Button size="sm" icon="plus" onClick={() => onChange([...values, { key: next, name: '', value: '', stored: false }])}>
				{say('servers.addValue')}
			</Button>
		</fieldset>
	);
}
