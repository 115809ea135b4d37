import { useState } from 'react';
import { shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { SectionHead } from '../row.tsx';
import { useServers } from './queries.ts';
import { ServerDialog } from './server-dialog.tsx';
import { ServerRow } from './server-row.tsx';

export function ServersSection() {
	const say = useSay();
	const servers = useServers();
	const [adding, setAdding] = useState(false);
	const { data } = servers;
	return (
		<section>
			<SectionHead title={say('settings.servers')} lead={say('servers.lead')} />
			{servers.error ? <ErrorNote error={shapeOf(servers.error)} /> : null}
			{data && !data.sandbox.works ? (
				<Note tone="ask" title={say('servers.noSandbox')}>
					<p>{data.sandbox.why}</p>
				</Note>
			) : null}
			<h3>
				{say('servers.list')}
				<Button icon="plus" disabled={!data} onClick={() => setAdding(true)}>
					{say('common.add')}
				</Button>
			</h3>
			{data?.servers.length === 0 ? <p className="meta">{say('servers.none')}</p> : null}
			{data && data.servers.length > 0 ? (
				<div className="tbl">
					{data.servers.map((view) => (
						<ServerRow key={view.server.id} view={view} sandbox={data.sandbox} />
					))}
				</div>
			) : null}
			{data && adding ? (
				<ServerDialog
					view={undefined}
					sandbox={data.sandbox}
					taken={data.servers.map(({ server }) => server.id)}
					onClose={() => setAdding(false)}
				/>
			) : null}
		</section>
	);
}
