import type { SecretStoreStatus } from '../../src/contract/shapes.ts';
import { call } from '../connection/index.ts';
import { Field } from '../ui/controls.tsx';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';

type Store = SecretStoreStatus['available'][number];

export interface KeyPlaceValue {
	store: Store | undefined;
	passphrase: string;
}
export const NO_PLACE: KeyPlaceValue = { store: undefined, passphrase: '' };

export function placeIsComplete(value: KeyPlaceValue): boolean {
	return value.store !== undefined && (value.store !== 'passphrase' || value.passphrase.length >= 8);
}

export function chooseKeyPlace(value: KeyPlaceValue): Promise<SecretStoreStatus> {
	const { store, passphrase } = value;
	if (store === undefined) throw new Error('no place chosen');
	return call((client) => client.secrets.choose(store === 'passphrase' ? { store, passphrase } : { store }));
}

interface KeyPlaceProps {
	status: SecretStoreStatus;
	value: KeyPlaceValue;
	onChange: (value: KeyPlaceValue) => void;
	/** Say so where a choice is missing or incomplete. */
	strict: boolean;
	/** What stands around it asks the question already. */
	asked?: boolean;
}

/** The places where keys can be kept on this machine, with what each means; nothing is chosen for the owner. */
export function KeyPlace({ status, value, onChange, strict, asked = false }: KeyPlaceProps) {
	const say = useSay();
	return (
		<fieldset className="key-place">
			<legend className={asked ? 'vh' : undefined}>{say('keys.where')}</legend>
			{status.protected ? null : <Note icon="alert">{status.explanation}</Note>}
			<div className="choices">
				{status.available.map((store) => (
					<label key={store} className="choice">
						<input
							type="radio"
							name="key-place"
							checked={value.store === store}
							onChange={() => onChange({ ...value, store })}
							aria-invalid={strict && value.store === undefined}
						/>
						<span>
							<b>{say(`keys.${store}`)}</b>
							<span className="meta block">{say(`keys.${store}Hint`)}</span>
						</span>
					</label>
				))}
			</div>
			{value.store === 'passphrase' ? (
				<Field
					label={say('keys.newPassphrase')}
					type="password"
					autoComplete="new-password"
					value={value.passphrase}
					onChange={(passphrase) => onChange({ ...value, passphrase })}
					hint={say('keys.newPassphraseHint')}
					error={strict && value.passphrase.length < 8 ? say('keys.tooShort') : undefined}
				/>
			) : null}
		</fieldset>
	);
}
