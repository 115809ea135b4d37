import { useState } from 'react';
import { Row } from './row.tsx';

interface NumberRowProps<Value extends number | null> {
	title: string;
	hint: string;
	/** What to say of a number that does not fit. */
	problem: string;
	value: Value;
	fits: (value: number) => boolean;
	/** Shown where there is no number; with it the field may be left empty, which means null. */
	placeholder?: string;
	onSave: (value: Value) => void;
}

/** A number, saved when the field is left or Enter is pressed; a bad one is said and not saved. */
export function NumberRow<Value extends number | null>({ title, hint, problem, value, fits, placeholder, onSave }: NumberRowProps<Value>) {
	const [typed, setTyped] = useState<string>();
	const [bad, setBad] = useState(false);
	const leave = (): void => {
		if (typed === undefined) return;
		const text = typed.trim().replace(',', '.');
		const none = text === '' && placeholder !== undefined;
		const good = none || (/^\d+(\.\d+)?$/.test(text) && fits(Number(text)));
		setBad(!good);
		if (!good) return;
		setTyped(undefined);
		const next = (none ? null : Number(text)) as Value;
		if (next !== value) onSave(next);
	};
	return (
		<Row title={title} hint={bad ? <span className="field-error">{problem}</span> : hint}>
			<input
				className="field number"
				inputMode="decimal"
				aria-label={title}
				aria-invalid={bad}
				placeholder={placeholder}
				value={typed ?? String(value ?? '')}
				onChange={(event) => setTyped(event.target.value)}
				onBlur={leave}
				onKeyDown={(event) => (event.key === 'Enter' ? leave() : undefined)}
			/>
		</Row>
	);
}
