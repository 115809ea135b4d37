import { create } from 'zustand';
import { plainMailLink } from '../../src/contract/mail-link.ts';
import { shell } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { useSay } from '../ui/strings.tsx';
import { copyText } from './copy.ts';

const useAsked = create<{ address: string | null }>()(() => ({ address: null }));

/** Opens a web or mail address outside, after a question that shows all of it: the shell asks in the app, this page in a browser. */
export function askToOpen(address: string): void {
	if (shell) void shell.openExternal(address);
	else useAsked.setState({ address: plainMailLink(address) ?? address });
}

/** The browser's question. Mounted once, by the chat screen. */
export function LinkQuestion() {
	const say = useSay();
	const address = useAsked((state) => state.address);
	const close = (): void => useAsked.setState({ address: null });
	const open = (): void => {
		window.open(address ?? '', '_blank', 'noopener,noreferrer');
		close();
	};
	return (
		<Dialog
			open={address !== null}
			onClose={close}
			title={say(address !== null && plainMailLink(address) ? 'link.mailTitle' : 'link.title')}
			lead={say('link.body')}
			onSubmit={open}
			footer={
				<>
					<Button kind="ghost" onClick={() => copyText(address ?? '')}>
						{say('link.copy')}
					</Button>
					<FormButtons onCancel={close} action={say('link.open')} />
				</>
			}
		>
			<p className="well address" dir="ltr">
				{shown(address)}
			</p>
		</Dialog>
	);
}

/** The normalised form: look-alike letters of another script show as punycode. */
function shown(address: string | null): string {
	if (address === null) return '';
	return URL.canParse(address) ? new URL(address).href : address;
}
