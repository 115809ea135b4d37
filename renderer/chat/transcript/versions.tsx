import type { Message } from '../../../src/domain/message.ts';
import { IconButton } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';
import { chooseVersion } from '../turn-actions.ts';

/** Which of the versions at this place is shown, and the way to the others. */
export function Versions({ message }: { message: Message }) {
	const say = useSay();
	const count = message.versions.length;
	if (count < 2) return null;
	const at = message.versions.indexOf(message.id);
	const go = (step: number): void => {
		const version = message.versions[at + step];
		if (version) void chooseVersion(version);
	};
	return (
		<fieldset className="versions" aria-label={say('chat.versions')}>
			<IconButton icon="left" size="sm" label={say('chat.versionPrevious')} disabled={at <= 0} onClick={() => go(-1)} />
			<span className="num" title={say('chat.version', { at: at + 1, count })}>
				{at + 1}/{count}
			</span>
			<IconButton icon="right" size="sm" label={say('chat.versionNext')} disabled={at >= count - 1} onClick={() => go(1)} />
		</fieldset>
	);
}
