import { useSay } from '../../ui/strings.tsx';

type Access = 'read' | 'write';

/** Read, or read and write. */
export function AccessChoice({
	path,
	access,
	busy,
	onChange,
}: {
	path: string;
	access: Access;
	busy: boolean;
	onChange: (access: Access) => void;
}) {
	const say = useSay();
	return (
		<fieldset className="seg" disabled={busy}>
			<legend className="vh">{say('permissions.accessOf', { path })}</legend>
			{(['read', 'write'] as const).map((each) => (
				<button key={each} type="button" aria-pressed={each === access} onClick={() => (each === access ? undefined : onChange(each))}>
					{say(`permissions.${each}`)}
				</button>
			))}
		</fieldset>
	);
}
