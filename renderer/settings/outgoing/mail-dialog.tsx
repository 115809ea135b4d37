import { useState } from 'react';
import type { OutgoingView } from '../../../src/contract/methods/outgoing.ts';
import { MailAccount, MailAddress, type MailSecurity } from '../../../src/domain/outgoing.ts';
import { shapeOf } from '../../connection/index.ts';
import { Field } from '../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import { useOutgoingChange } from './queries.ts';
import { useSecretPlace } from './secret-place.tsx';

const USUAL_PORT: Readonly<Record<MailSecurity, string>> = { tls: '465', starttls: '587', none: '25' };
const SECURITIES = ['tls', 'starttls', 'none'] as const;

export function MailDialog({ view, onClose, onSaved }: { view: OutgoingView; onClose: () => void; onSaved: () => void }) {
	const say = useSay();
	const { mail } = view;
	const [draft, setDraft] = useState({
		host: mail?.host ?? '',
		port: mail ? String(mail.port) : USUAL_PORT.tls,
		security: mail?.security ?? ('tls' as MailSecurity),
		user: mail?.user ?? '',
		from: mail?.from ?? '',
		password: '',
	});
	const [strict, setStrict] = useState(false);
	const set = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
	const place = useSecretPlace(draft.password !== '', strict);

	const port = /^\d{1,5}$/.test(draft.port.trim()) ? Number(draft.port.trim()) : 0;
	const account = { host: draft.host.trim(), port, security: draft.security, user: draft.user.trim(), from: draft.from.trim() };
	const passwordKept = view.mailHasPassword && mail?.host === account.host && mail.user === account.user;
	const needsPassword = account.user !== '' && draft.password === '' && !passwordKept;
	const save = useOutgoingChange(async (client, given: MailAccount) => {
		await place.settle();
		return client.outgoing.setMail({ mail: given, ...(draft.password !== '' && { password: draft.password }) });
	}, onSaved);
	const submit = (): void => {
		setStrict(true);
		const parsed = MailAccount.safeParse(account);
		if (parsed.success && !needsPassword && place.ready) save.mutate(parsed.data);
	};
	const problem = (isBad: boolean, words: Parameters<typeof say>[0]) => (strict && isBad ? say(words) : undefined);
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('outgoing.mailTitle')}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} />}
		>
			<Field
				label={say('outgoing.from')}
				inputMode="email"
				value={draft.from}
				onChange={(from) => set({ from })}
				error={problem(!MailAddress.safeParse(account.from).success, 'outgoing.fromBad')}
				autoComplete="off"
				spellCheck={false}
			/>
			<Field
				label={say('outgoing.host')}
				value={draft.host}
				onChange={(host) => set({ host })}
				hint={say('outgoing.hostHint')}
				error={problem(!MailAccount.shape.host.safeParse(account.host).success, 'outgoing.hostBad')}
				autoComplete="off"
				spellCheck={false}
			/>
			<div className="form-field">
				<span className="form-label">{say('outgoing.security')}</span>
				<Select
					label={say('outgoing.security')}
					value={draft.security}
					onChange={(chosen) => {
						const security = SECURITIES.find((each) => each === chosen) ?? 'tls';
						set({ security, port: draft.port === USUAL_PORT[draft.security] ? USUAL_PORT[security] : draft.port });
					}}
					options={SECURITIES.map((each) => ({
						value: each,
						label: say(`outgoing.security.${each}`),
						hint: say(`outgoing.security.${each}Hint`),
					}))}
				/>
			</div>
			<Field
				label={say('outgoing.port')}
				value={draft.port}
				onChange={(typed) => set({ port: typed })}
				error={problem(!MailAccount.shape.port.safeParse(port).success, 'outgoing.portBad')}
				inputMode="numeric"
				autoComplete="off"
			/>
			<Field
				label={say('outgoing.user')}
				value={draft.user}
				onChange={(user) => set({ user })}
				hint={say('outgoing.userHint')}
				autoComplete="off"
				spellCheck={false}
			/>
			{account.user === '' ? null : (
				<Field
					label={say('outgoing.password')}
					type="password"
					value={draft.password}
					onChange={(password) => set({ password })}
					hint={passwordKept ? say('outgoing.passwordKept') : undefined}
					error={problem(needsPassword, 'outgoing.passwordNeeded')}
					autoComplete="off"
				/>
			)}
			{place.element}
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}
