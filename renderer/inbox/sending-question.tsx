import { useRef } from 'react';
import type { Proposal } from '../../src/domain/proposal.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useSay } from '../ui/strings.tsx';
import { useInboxUi } from './inbox-ui-store.ts';

/** Before what was found goes to a model elsewhere, or to one that costs money: where to. The yes names what was shown (B3). */
export function SendingQuestion({ discuss }: { discuss: (proposal: Proposal, allow: string) => void }) {
	const say = useSay();
	const cancel = useRef<HTMLButtonElement>(null);
	const sending = useInboxUi((state) => state.sending);
	if (!sending) return null;
	const { name, host, model, remote, costsMoney, characters, sources, shownHash } = sending.question;
	const close = (): void => useInboxUi.setState({ sending: null });
	return (
		<Dialog
			open
			onClose={close}
			initialFocus={cancel}
			title={say('inbox.sending.title', { name })}
			lead={say('inbox.sending.lead', { model, host, characters, source: sources.join(', ') })}
			footer={
				<>
					<Button ref={cancel} onClick={close}>
						{say('common.cancel')}
					</Button>
					<Button kind="primary" onClick={() => discuss(sending.proposal, shownHash)}>
						{say('inbox.sending.yes')}
					</Button>
				</>
			}
		>
			<p>
				{[
					...(remote ? [say('background.asksRemote')] : []),
					...(costsMoney ? [say('inbox.sending.costs')] : []),
					say('inbox.sending.holds'),
				].join(' ')}
			</p>
		</Dialog>
	);
}
