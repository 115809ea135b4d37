import { useState } from 'react';
import { Row } from './row.tsx';

/** Such as 200,000, 200.000, 200 000 or 200'000. */
const GROUPED = /^\d{1,3}(?:([,.'’\u00a0\u202f ])\d{3})(?:\1\d{3})*$/;

interface NumberFieldProps<Value extends number | null> {
	/** Names the field. */
	label: string;
	value: Value;
	fits: (value: number) => boolean;
	/** Digits may stand in groups of three. Elsewhere that might as well be a decimal point. */
	whole?: boolean;
	/** Shown where there is no number; with it the field may be left empty, which means null. */
	placeholder?: string;
	onSave: (value: Value) => void;
	/** Told when it is left, whether what stands in it does not fit. */
	onBad: (bad: boolean) => void;
	describedBy?: string | undefined;
}

interface NumberRowProps<Value extends number | null> extends Omit<NumberFieldProps<Value>, 'label' | 'onBad' | 'describedBy'> {
	title: string;
	hint: string;
	/** What to say of a number that does not fit. */
	problem: string;
}

/** A number, saved when the field is left or Enter is pressed; a bad one is said and not saved. */
export function NumberRow<Value extends number | null>({ title, hint, problem, ...field }: NumberRowProps<Value>) {
	const [bad, setBad] = useState(false);
	return (
		<Row title={title} hint={bad ? <span className="field-error">{problem}</span> : hint}>
			<NumberField label={title} onBad={setBad} {...field} />
		</Row>
	);
}

/** The field alone: who shows it says what does not fit. */
export function NumberField<Value extends number | null>(props: NumberFieldProps<Value>) {
	const { label, value, fits, whole = false, placeholder, onSave, onBad, describedBy } = props;
	const [typed, setTyped] = useState<string>();
	const [bad, setBad] = useState(false);
	const leave = (): void => {
		if (typed === undefined) return;
		const none = typed.trim() === '' && placeholder !== undefined;
		const number = none ? null : numberOf(typed.trim(), whole);
		const good = none || (number !== null && fits(number));
		setBad(!good);
		onBad(!good);
		if (!good) return;
		setTyped(undefined);
		const next = number as Value;
		if (next !== value) onSave(next);
	};
	return (
		<input
			className="field number"
			inputMode="decimal"
			aria-label={label}
			aria-invalid={bad}
			aria-describedby={describedBy}
			placeholder={placeholder}
			value={typed ?? String(value ?? '')}
			onChange={(event) => setTyped(event.target.value)}
			onBlur={leave}
			onKeyDown={(event) => (event.key === 'Enter' ? leave() : undefined)}
		/>
	);
}

function numberOf(text: string, whole: boolean): number | null {
	if (GROUPED.test(text)) return whole ? Number(text.replace(/\D/g, '')) : null;
	const plain = text.replace(',', '.');
	return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}
