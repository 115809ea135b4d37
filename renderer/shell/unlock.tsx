import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useSay } from '../ui/strings.tsx';

/** Asks for the passphrase that opens the file of keys. */
export function UnlockDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
	const say = useSay();
	const queries = useQueryClient();
	const [passphrase, setPassphrase] = useState('');
	const field = useRef<HTMLInputElement>(null);
	const unlock = useMutation({
		mutationFn: () => call((client) => client.secrets.unlock({ passphrase })),
		onSuccess: (status) => {
			queries.setQueryData(['secrets', 'status'], status);
			void queries.invalidateQueries({ queryKey: ['models'] });
			close();
		},
		onError: () => field.current?.select(),
	});
	const close = (): void => {
		setPassphrase('');
		unlock.reset();
		onClose();
	};
	return (
		<Dialog
			open={open}
			onClose={close}
			title={say('unlock.title')}
			lead={say('unlock.body')}
			initialFocus={field}
			onSubmit={() => (passphrase ? unlock.mutate() : undefined)}
			footer={
				<>
					<Button onClick={close}>{say('unlock.later')}</Button>
					<Button kind="primary" type="submit" busy={unlock.isPending} disabled={passphrase === ''}>
						{say('unlock.action')}
					</Button>
				</>
			}
		>
			<Field
				ref={field}
				label={say('unlock.passphrase')}
				type="password"
				autoComplete="current-password"
				value={passphrase}
				onChange={setPassphrase}
				error={unlock.error ? shapeOf(unlock.error).message : undefined}
			/>
		</Dialog>
	);
}
