import { Field as BaseField } from '@base-ui/react/field';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import type { InputHTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react';

/** True while an input method composes a word: Enter and Esc then belong to it, not to us. */
export function isComposing(event: KeyboardEvent | globalThis.KeyboardEvent): boolean {
	const native = 'nativeEvent' in event ? event.nativeEvent : event;
	return native.isComposing || native.keyCode === 229;
}

export function Switch({
	label,
	checked,
	onChange,
	disabled,
}: {
	label: string;
	checked: boolean;
	onChange: (checked: boolean) => void;
	disabled?: boolean;
}) {
	return <BaseSwitch.Root className="switch" aria-label={label} checked={checked} onCheckedChange={onChange} disabled={disabled} />;
}

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'size'> {
	label: string;
	value: string;
	onChange: (value: string) => void;
	hint?: ReactNode;
	/** What is wrong with the value; marks the field and is read with it. */
	error?: string;
	ref?: Ref<HTMLInputElement>;
}

export function Field({ label, value, onChange, hint, error, ref, ...rest }: FieldProps) {
	const keep = (event: KeyboardEvent) => {
		if (event.key === 'Enter' && isComposing(event)) event.preventDefault();
	};
	return (
		<BaseField.Root className="form-field" invalid={error !== undefined}>
			<BaseField.Label>{label}</BaseField.Label>
			<BaseField.Control {...rest} ref={ref} className="field" value={value} onValueChange={onChange} onKeyDown={keep} />
			{hint ? <BaseField.Description className="meta">{hint}</BaseField.Description> : null}
			{error ? (
				<BaseField.Error className="field-error" match>
					{error}
				</BaseField.Error>
			) : null}
		</BaseField.Root>
	);
}
