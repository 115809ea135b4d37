import { type ReactNode, useState } from 'react';
import { type StringId, useSay } from '../ui/strings.tsx';
import type { Problems } from './problems.ts';

interface FormRowProps {
	name: string;
	/** What keeps parts of it from being taken, below them. */
	problems?: readonly (string | undefined)[];
	children: ReactNode;
}

/** One line of the form: what it is, and its fields. */
export function FormRow({ name, problems = [], children }: FormRowProps) {
	const said = [...new Set(problems.filter((problem) => problem !== undefined))];
	return (
		<>
			<dt>{name}</dt>
			<dd>
				{children}
				{said.map((problem) => (
					<p key={problem} className="field-error" role="alert">
						{problem}
					</p>
				))}
			</dd>
		</>
	);
}

/** What is wrong with a part, in words; nothing before the owner has tried to go on, or has left what they began. */
export function useProblemWords(problems: Problems): (path: string) => string | undefined {
	const say = useSay();
	return (path) => {
		const problem = problems.get(path);
		return typeof problem === 'object' ? say(problem.id) : problem;
	};
}

interface NumberFieldProps {
	label: string;
	/** NaN: what is typed is no number. Undefined: nothing is, where that is allowed. */
	value: number | undefined;
	onChange: (value: number | undefined) => void;
	/** It may be left empty. */
	optional?: boolean;
	placeholder?: string;
	unit?: string;
	bad?: boolean;
}

export function NumberField({ label, value, onChange, optional = false, placeholder, unit, bad = false }: NumberFieldProps) {
	const [typed, setTyped] = useState('');
	// What is typed stands as it is for as long as it means what is set.
	const shown = Object.is(numberOf(typed, optional), value) ? typed : value === undefined || Number.isNaN(value) ? '' : String(value);
	return (
		<span className="number-field">
			<input
				className="field number"
				inputMode="decimal"
				aria-label={label}
				aria-invalid={bad || undefined}
				placeholder={placeholder}
				value={shown}
				onChange={({ target }) => {
					setTyped(target.value);
					onChange(numberOf(target.value, optional));
				}}
			/>
			{unit ? <span className="meta">{unit}</span> : null}
		</span>
	);
}

/** Undefined where nothing is typed and that is allowed; else NaN for what is no number. */
export function numberOf(typed: string, optional: boolean): number | undefined {
	const text = typed.trim();
	if (text === '') return optional ? undefined : Number.NaN;
	if (/^\d{1,3}([,.'’\u00a0\u202f ]\d{3})+$/.test(text)) return Number(text.replace(/\D/g, ''));
	return /^\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

interface SegProps<Value extends string> {
	label: string;
	value: Value;
	options: readonly Value[];
	/** The words of each are the string with this beginning. */
	words: (option: Value) => string;
	onChange: (value: Value) => void;
}

/** One of a few, all of them seen. */
export function Seg<Value extends string>({ label, value, options, words, onChange }: SegProps<Value>) {
	return (
		<fieldset className="seg">
			<legend className="vh">{label}</legend>
			{options.map((option) => (
				<button
					key={option}
					type="button"
					aria-pressed={option === value}
					onClick={() => (option === value ? undefined : onChange(option))}
				>
					{words(option)}
				</button>
			))}
		</fieldset>
	);
}

/** A line of grey words under a field. */
export function Hint({ id }: { id: StringId }) {
	const say = useSay();
	return <span className="meta">{say(id)}</span>;
}
