import type { ServerView } from '../../../src/contract/methods/servers.ts';
import { shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { markedFlags } from '../../ui/flag-pieces.ts';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useServerChange, useServerTools } from './queries.ts';
import { ToolItem } from './tool-item.tsx';

/** What a server offers, with the owner's word on each. What is approved is what is shown, by its hash (B3). */
export function ToolsDialog({ view, onClose }: { view: ServerView; onClose: () => void }) {
	const say = useSay();
	const { id: server, title } = view.server;
	const tools = useServerTools(server);
	const approve = useServerChange(
		(client, shown: { tool: string; shownHash: string }[]) => client.servers.approveTools({ server, tools: shown }),
		(_, shown) => showToast(say('serverTools.approved', { count: shown.length })),
	);
	const unapprove = useServerChange((client, tool: string) => client.servers.unapproveTool({ server, tool }));
	const readOnly = useServerChange((client, { tool, on }: { tool: string; on: boolean }) =>
		client.servers.setReadOnly({ server, tool, readOnly: on }),
	);
	const list = tools.data?.tools ?? [];
	const waiting = list.filter(({ state, shownHash }) => (state === 'new' || state === 'changed') && shownHash !== undefined);
	// What is odd or has changed wants a look of its own, and a yes of its own.
	const plain = waiting.flatMap(({ tool, state, shownHash, inspection }) =>
		state === 'new' && shownHash !== undefined && markedFlags(inspection).length === 0 ? [{ tool, shownHash }] : [],
	);
	const left = waiting.length - plain.length;
	const failure = tools.error ?? approve.error ?? unapprove.error ?? readOnly.error;
	return (
		<Dialog
			open
			onClose={onClose}
			size="huge"
			title={say('servers.tools', { name: title })}
			lead={say('serverTools.lead')}
			footer={
				<>
					<Button onClick={onClose}>{say('common.close')}</Button>
					{plain.length > 1 ? (
						<Button {...(left === 0 && { kind: 'primary' as const })} busy={approve.isPending} onClick={() => approve.mutate(plain)}>
							{say(left === 0 ? 'serverTools.approveAll' : 'serverTools.approveOthers', { count: plain.length })}
						</Button>
					) : null}
				</>
			}
		>
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
			{left > 0 ? <p className="meta">{say('serverTools.lookAtEach', { count: left })}</p> : null}
			{tools.data && list.length === 0 ? <p className="meta">{say('serverTools.none')}</p> : null}
			<ul className="server-tools">
				{list.map((tool) => (
					<ToolItem
						key={tool.tool}
						tool={tool}
						// Only its own: a press on another must not be lost meanwhile.
						busy={
							(approve.isPending && approve.variables.some((shown) => shown.tool === tool.tool)) ||
							(unapprove.isPending && unapprove.variables === tool.tool)
						}
						onApprove={(shownHash) => approve.mutate([{ tool: tool.tool, shownHash }])}
						onUnapprove={() => unapprove.mutate(tool.tool)}
						onReadOnly={(on) => readOnly.mutate({ tool: tool.tool, on })}
					/>
				))}
			</ul>
		</Dialog>
	);
}
