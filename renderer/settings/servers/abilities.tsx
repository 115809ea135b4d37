import type { ServerAccess } from '../../../src/domain/tool-server.ts';
import { Note } from '../../ui/note.tsx';
import { type Say, useSay } from '../../ui/strings.tsx';

interface AbilitiesProps {
	/** Of a service at an address: its host. */
	host: string | undefined;
	access: ServerAccess;
	sandboxed: boolean;
}

/** What a server that is set up so will be able to do, in plain words. */
export function Abilities({ host, access, sandboxed }: AbilitiesProps) {
	const say = useSay();
	const words = host === undefined ? programWords(say, access, sandboxed) : [say('servers.able.http', { host })];
	const isGrave = host === undefined && (!sandboxed || access.home === 'write' || access.network.kind === 'all');
	return (
		<Note tone={isGrave ? 'ask' : 'plain'} title={say('servers.able')} role="status">
			{words.map((sentence) => (
				<p key={sentence}>{sentence}</p>
			))}
		</Note>
	);
}

function programWords(say: Say, { folders, home, network }: ServerAccess, sandboxed: boolean): string[] {
	if (!sandboxed) return [say('servers.able.unsandboxed')];
	const named = folders.filter(({ path }) => path !== '');
	const sees = named.map(({ path, access }) => say(access === 'write' ? 'servers.able.folderWrite' : 'servers.able.folderRead', { path }));
	if (home !== 'hidden') sees.unshift(say(home === 'write' ? 'servers.able.homeWrite' : 'servers.able.homeRead'));
	return [
		sees.length > 0 ? say('servers.able.sees', { what: sees.join('; ') }) : say('servers.able.seesNothing'),
		network.kind === 'none'
			? say('servers.able.noNetwork')
			: network.kind === 'all'
				? say('servers.able.network')
				: say('servers.able.hosts', { hosts: network.hosts.join(', ') }),
	];
}
