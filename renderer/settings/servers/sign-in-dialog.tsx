import { useEffect, useRef, useState } from 'react';
import type { ServerView } from '../../../src/contract/methods/servers.ts';
import { copyText } from '../../chat/copy.ts';
import { askToOpen, LinkQuestion } from '../../chat/open-link.tsx';
import { shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useServerChange } from './queries.ts';

/** The owner's browser signs in; the answer comes back to this computer by itself, or is pasted. */
export function SignInDialog({ view, onClose }: { view: ServerView; onClose: () => void }) {
	const say = useSay();
	const { id: server, title } = view.server;
	const [answer, setAnswer] = useState('');
	const begin = useServerChange((client, _: undefined) => client.servers.signIn({ server }));
	const finish = useServerChange((client, address: string) => client.servers.finishSignIn({ server, address }));
	const asked = useRef(false);
	const { mutate } = begin;
	useEffect(() => {
		// Each sign-in begins once, also where effects run twice.
		if (!asked.current) mutate(undefined);
		asked.current = true;
	}, [mutate]);
	useEffect(() => {
		if (!view.signedIn || !begin.isSuccess) return;
		showToast(say('servers.signedIn', { name: title }));
		onClose();
	}, [view.signedIn, begin.isSuccess, say, title, onClose]);
	const url = begin.data?.url;
	return (
		<>
			<Dialog
				open
				onClose={onClose}
				title={say('servers.signInTitle', { name: title })}
				lead={say('servers.signInLead')}
				footer={
					<>
						<Button onClick={onClose}>{say('common.cancel')}</Button>
						{url ? (
							<>
								<Button onClick={() => copyText(url)}>{say('servers.signInCopy')}</Button>
								<Button kind="primary" icon="open" onClick={() => askToOpen(url)}>
									{say('servers.signInOpen')}
								</Button>
							</>
						) : null}
					</>
				}
			>
				{begin.error ? <ErrorNote error={shapeOf(begin.error)} /> : null}
				{finish.error ? <ErrorNote error={shapeOf(finish.error)} /> : null}
				{url ? (
					<>
						<Note icon="globe" title={say('servers.signInAt', { host: new URL(url).host })} role="status">
							<p>{say('servers.signInWaits')}</p>
						</Note>
						<details className="advanced">
							<summary>{say('servers.signInElsewhere')}</summary>
							<Field label={say('servers.signInAddress')} value={answer} onChange={setAnswer} spellCheck={false} autoComplete="off" />
							<Button size="sm" busy={finish.isPending} disabled={answer.trim() === ''} onClick={() => finish.mutate(answer.trim())}>
								{say('servers.signInFinish')}
							</Button>
						</details>
					</>
				) : null}
			</Dialog>
			<LinkQuestion />
		</>
	);
}
