/** A runtime process without an app, for tests of the shell's supervisor: its first argument in the environment says how it behaves. */
import { childChannel } from '../../../electron/host-channel.ts';

const channel = childChannel(process);
const manner = process.env.SMALL_HOST ?? 'serve';

channel.onMessage((message) => {
	if (message.type === 'start') {
		if (manner === 'die') process.exit(7);
		if (manner === 'refuse') {
			channel.post({
				type: 'refused',
				error: {
					kind: 'needs_owner',
					code: 'profile_locked',
					message: 'Another Hearth has it.',
					safe: 'All is safe.',
					action: 'Close that one.',
				},
			});
			return;
		}
		channel.post({ type: 'ready' });
		channel.post({
			type: 'settings',
			settings: { theme: 'dark', quickWindowHotkey: '', notifications: false, keepInTray: true, startAtLogin: false, askBeforeQuit: true },
		});
		channel.post({ type: 'keychain_request', request: 1, action: 'encrypt', value: 'word' });
	}
	if (message.type === 'keychain_answer') {
		channel.post({
			type: 'settings',
			settings: {
				theme: 'light',
				quickWindowHotkey: message.value ?? 'none',
				notifications: true,
				keepInTray: false,
				startAtLogin: true,
				askBeforeQuit: true,
			},
		});
	}
	if (message.type === 'work')
		channel.post({ type: 'work', state: message.action === 'pause_all' ? 'paused' : 'on', findings: 0, tasks: { missed: 0 } });
	if (message.type === 'coming' && manner !== 'mute') {
		const runs = [{ taskId: 'a', title: 'Mail summary', at: message.until - 1 }];
		channel.post({ type: 'coming', request: message.request, runs, more: false });
	}
	if (message.type === 'stop' && manner !== 'hang') process.exit(0);
});
channel.onGone(() => process.exit(0));
