interface WrittenFieldProps {
	label: string;
	value: string;
	bad?: boolean;
	placeholder?: string;
	/** Of what is written the same way in every language. */
	dir?: 'ltr';
	onChange: (value: string) => void;
}

/** For what a program reads: a path, a name, an expression. */
export function WrittenField({ label, value, bad = false, placeholder, dir, onChange }: WrittenFieldProps) {
	return (
		<input
			className="field written"
			aria-label={label}
			aria-invalid={bad || undefined}
			placeholder={placeholder}
			value={value}
			spellCheck={false}
			autoComplete="off"
			dir={dir}
			onChange={({ target }) => onChange(target.value)}
		/>
	);
}
