import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSecretStatus } from '../../shell/queries.ts';
import { chooseKeyPlace, KeyPlace, NO_PLACE, placeIsComplete } from '../key-place.tsx';

interface SecretPlace {
	/** False while the owner has to choose where keys are kept, and has not. */
	readonly ready: boolean;
	readonly element: ReactNode;
	/** Before what stores the secret. */
	settle(): Promise<void>;
}

/** Where a secret that is being entered will be kept: asked for only where there is no place yet. */
export function useSecretPlace(hasSecret: boolean, strict: boolean): SecretPlace {
	const queries = useQueryClient();
	const status = useSecretStatus().data;
	const [place, setPlace] = useState(NO_PLACE);
	const asks = status?.store === 'none' && hasSecret;
	return {
		ready: !asks || placeIsComplete(place),
		element: asks && status ? <KeyPlace status={status} value={place} onChange={setPlace} strict={strict} /> : null,
		settle: async () => {
			if (asks) queries.setQueryData(['secrets', 'status'], await chooseKeyPlace(place));
		},
	};
}
