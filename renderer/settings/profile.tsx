import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentName, ProfileInfo } from '../../src/contract/methods/profile.ts';
import { shapeOf } from '../connection/index.ts';
import { useDocument, useProfiles } from '../shell/queries.ts';
import { SwitchProfileDialog } from '../shell/title-bar.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { formatBytes, useSay } from '../ui/strings.tsx';
import { DocumentEditor } from './document-editor.tsx';
import { CreateProfileDialog, DeleteProfileDialog } from './profile-dialogs.tsx';
import { Row, SectionHead } from './row.tsx';

const DOCUMENTS: readonly DocumentName[] = ['AGENT.md', 'USER.md', 'HEARTBEAT.md'];

export function ProfileSection() {
	const say = useSay();
	const profiles = useProfiles();
	const queries = useQueryClient();
	const [creating, setCreating] = useState(false);
	const [deleting, setDeleting] = useState<ProfileInfo>();
	const [switching, setSwitching] = useState<string>();
	const reload = () => void queries.invalidateQueries({ queryKey: ['profiles'] });
	return (
		<section>
			<SectionHead title={say('settings.profile')} lead={say('profile.lead')} />
			<h3 className="first-h">
				{say('profile.list')}
				<Button icon="plus" onClick={() => setCreating(true)}>
					{say('profile.create')}
				</Button>
			</h3>
			{profiles.error ? <ErrorNote error={shapeOf(profiles.error)} /> : null}
			<div className="tbl">
				{profiles.data?.map((profile) => (
					<Row key={profile.name} icon="user" title={profile.name} hint={`${profile.folder}, ${formatBytes(say, profile.bytes)}`}>
						{profile.current ? (
							<StateMark state="done">{say('profile.current')}</StateMark>
						) : (
							<>
								{profile.running ? <StateMark state="running">{say('profile.running')}</StateMark> : null}
								<Button onClick={() => setSwitching(profile.name)}>{say('profile.switch')}</Button>
								<IconButton
									icon="trash"
									label={say('profile.delete', { name: profile.name })}
									disabled={profile.running}
									onClick={() => setDeleting(profile)}
								/>
							</>
						)}
					</Row>
				))}
			</div>
			<h3>{say('profile.documents')}</h3>
			<p className="meta set-lead">{say('profile.documentsLead')}</p>
			<div className="tbl">
				{DOCUMENTS.map((name) => (
					<DocumentRow key={name} name={name} />
				))}
			</div>
			{creating ? (
				<CreateProfileDialog
					taken={profiles.data?.map((profile) => profile.name) ?? []}
					onClose={() => setCreating(false)}
					onDone={reload}
				/>
			) : null}
			{deleting ? <DeleteProfileDialog profile={deleting} onClose={() => setDeleting(undefined)} onDone={reload} /> : null}
			<SwitchProfileDialog name={switching} onClose={() => setSwitching(undefined)} />
		</section>
	);
}

function DocumentRow({ name }: { name: DocumentName }) {
	const say = useSay();
	const file = useDocument(name);
	const [editing, setEditing] = useState(false);
	const words = file.data?.text.trim().split(/\s+/).filter(Boolean).length;
	return (
		<Row
			icon="file"
			title={name}
			hint={say(`profile.${name}Hint`)}
			below={file.error ? <ErrorNote error={shapeOf(file.error)} /> : undefined}
		>
			{words === undefined ? null : <span className="meta num">{say('profile.words', { count: words })}</span>}
			<Button aria-label={say('profile.edit', { name })} disabled={!file.data} onClick={() => setEditing(true)}>
				{say('common.edit')}
			</Button>
			{editing && file.data ? <DocumentEditor document={file.data} onClose={() => setEditing(false)} /> : null}
		</Row>
	);
}
