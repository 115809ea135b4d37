import { Link } from 'wouter';
import type { WatchedKind } from '../../../../src/domain/heartbeat.ts';
import { Field } from '../../../ui/controls.tsx';
import { Select } from '../../../ui/select.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { useServers } from '../../servers/queries.ts';
import type { PlaceDraft, PlaceProblems } from './place-draft.ts';

interface PlaceFieldsProps {
	draft: PlaceDraft;
	onChange: (change: Partial<PlaceDraft>) => void;
	problems: PlaceProblems;
	/** The place is a source's already: what of it is secret is stored. */
	stored: boolean;
}

const SECURITY = ['tls', 'starttls', 'none'] as const;
/** What a mail server listens on with each. */
const PORTS = { tls: '993', starttls: '143', none: '143' } as const;
const SERVICES = ['github', 'gitea'] as const;

/** The fields that say where a source of this kind is. */
export function PlaceFields(props: PlaceFieldsProps) {
	const FIELDS = {
		feed: Address,
		page: Address,
		calendar: Address,
		folder: Path,
		calendar_file: Path,
		mailbox: Mailbox,
		issues: Issues,
		resource: Resource,
	};
	const Fields = FIELDS[props.draft.kind satisfies WatchedKind];
	return <Fields {...props} />;
}

/** A field in which nothing is to be corrected. */
const EXACT = { spellCheck: false, autoComplete: 'off' } as const;

function Address({ draft, onChange, problems, stored }: PlaceFieldsProps) {
	const say = useSay();
	const kept = stored && draft.secretAddress;
	return (
		<>
			<Field
				{...EXACT}
				label={say('sources.field.url')}
				value={draft.url}
				onChange={(url) => onChange({ url })}
				hint={say(kept ? 'sources.field.urlKept' : 'sources.field.urlHint')}
				error={problems.url}
				inputMode="url"
			/>
			<SecretAddress checked={draft.secretAddress} onChange={(secretAddress) => onChange({ secretAddress })} />
		</>
	);
}

/** A whole address that nobody else should read: a private calendar. */
export function SecretAddress({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
	const say = useSay();
	return (
		<div className="choices">
			<label className="choice">
				<input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
				<span>
					<b>{say('sources.secretAddress')}</b>
					<span className="meta block">{say('sources.secretAddressHint')}</span>
				</span>
			</label>
		</div>
	);
}

function Path({ draft, onChange, problems }: PlaceFieldsProps) {
	const say = useSay();
	return (
		<Field
			{...EXACT}
			label={say(draft.kind === 'folder' ? 'sources.field.path.folder' : 'sources.field.path.calendar_file')}
			value={draft.path}
			onChange={(path) => onChange({ path })}
			hint={say('sources.field.pathHint')}
			error={problems.path}
		/>
	);
}

function Mailbox({ draft, onChange, problems, stored }: PlaceFieldsProps) {
	const say = useSay();
	return (
		<>
			<Field
				{...EXACT}
				label={say('sources.field.host')}
				value={draft.host}
				onChange={(host) => onChange({ host })}
				hint={say('sources.field.hostHint')}
				error={problems.host}
			/>
			<Field
				{...EXACT}
				label={say('sources.field.user')}
				value={draft.user}
				onChange={(user) => onChange({ user })}
				hint={say('sources.field.userHint')}
				error={problems.user}
			/>
			<Field
				autoComplete="off"
				type="password"
				label={say('sources.field.password')}
				value={draft.secret}
				onChange={(secret) => onChange({ secret })}
				hint={say(stored ? 'sources.field.passwordKept' : 'sources.field.passwordHint')}
				error={problems.secret}
			/>
			<Field
				{...EXACT}
				label={say('sources.field.mailbox')}
				value={draft.mailbox}
				onChange={(mailbox) => onChange({ mailbox })}
				hint={say('sources.field.mailboxHint')}
				error={problems.mailbox}
			/>
			<details className="advanced">
				<summary>{say('sources.more')}</summary>
				<div className="form-field">
					<span className="form-label">{say('sources.field.security')}</span>
					<Select
						label={say('sources.field.security')}
						value={draft.security}
						onChange={(chosen) => {
							const security = SECURITY.find((each) => each === chosen) ?? 'tls';
							// A port of one's own stays.
							onChange({ security, ...(draft.port === PORTS[draft.security] && { port: PORTS[security] }) });
						}}
						options={SECURITY.map((value) => ({ value, label: say(`sources.security.${value}`) }))}
					/>
				</div>
				<Field
					label={say('sources.field.port')}
					value={draft.port}
					onChange={(port) => onChange({ port })}
					error={problems.port}
					inputMode="numeric"
				/>
				<Field
					{...EXACT}
					label={say('sources.field.certificate')}
					value={draft.certificate}
					onChange={(certificate) => onChange({ certificate })}
					hint={say('sources.field.certificateHint')}
					error={problems.certificate}
				/>
			</details>
		</>
	);
}

function Issues({ draft, onChange, problems, stored }: PlaceFieldsProps) {
	const say = useSay();
	return (
		<>
			<div className="form-field">
				<span className="form-label">{say('sources.field.service')}</span>
				<Select
					label={say('sources.field.service')}
					value={draft.service}
					onChange={(chosen) => onChange({ service: SERVICES.find((each) => each === chosen) ?? 'github' })}
					options={SERVICES.map((value) => ({ value, label: say(`sources.service.${value}`) }))}
				/>
			</div>
			<Field
				{...EXACT}
				label={say('sources.field.repository')}
				value={draft.repository}
				onChange={(repository) => onChange({ repository })}
				hint={say('sources.field.repositoryHint')}
				error={problems.repository}
			/>
			<Field
				{...EXACT}
				label={say('sources.field.baseUrl')}
				value={draft.baseUrl}
				onChange={(baseUrl) => onChange({ baseUrl })}
				hint={draft.service === 'github' ? say('sources.field.baseUrlHint') : undefined}
				error={problems.baseUrl}
				inputMode="url"
			/>
			<Field
				autoComplete="off"
				type="password"
				label={say('sources.field.token')}
				value={draft.secret}
				onChange={(secret) => onChange({ secret })}
				hint={say(stored ? 'sources.field.tokenKept' : 'sources.field.tokenHint')}
				error={problems.secret}
			/>
		</>
	);
}

function Resource({ draft, onChange, problems }: PlaceFieldsProps) {
	const say = useSay();
	const servers = useServers().data?.servers ?? [];
	return (
		<>
			<div className="form-field">
				<span className="form-label">{say('sources.field.server')}</span>
				{servers.length === 0 ? (
					<p>
						{say('sources.field.serverNone')}{' '}
						<Link className="lnk" href="/settings/servers">
							{say('sources.field.serverAdd')}
						</Link>
					</p>
				) : (
					<Select
						label={say('sources.field.server')}
						value={draft.server}
						onChange={(server) => onChange({ server })}
						options={servers.map(({ server }) => ({ value: server.id, label: server.title }))}
					/>
				)}
				{problems.server ? <p className="field-error">{problems.server}</p> : null}
			</div>
			<Field
				{...EXACT}
				label={say('sources.field.uri')}
				value={draft.uri}
				onChange={(uri) => onChange({ uri })}
				hint={say('sources.field.uriHint')}
				error={problems.uri}
			/>
		</>
	);
}
