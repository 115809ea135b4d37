import type { AttachmentInfo } from '../../../src/domain/message.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatBytes, useSay } from '../../ui/strings.tsx';

interface AttachmentChipsProps {
	attachments: readonly AttachmentInfo[];
	reading?: readonly string[];
	onRemove?: (attachment: AttachmentInfo) => void;
}

export function AttachmentChips({ attachments, reading = [], onRemove }: AttachmentChipsProps) {
	const say = useSay();
	if (attachments.length === 0 && reading.length === 0) return null;
	return (
		<ul className="files" aria-label={say('compose.attachments')}>
			{attachments.map((attachment) => (
				<li key={attachment.id} className="file">
					<Icon name="file" size="s" />
					<span className="cut" title={attachment.name} dir="auto">
						{attachment.name}
					</span>
					<span className="meta num">{formatBytes(say, attachment.bytes)}</span>
					{onRemove ? (
						<IconButton
							icon="x"
							size="sm"
							label={say('compose.removeAttachment', { name: attachment.name })}
							onClick={() => onRemove(attachment)}
						/>
					) : null}
				</li>
			))}
			{reading.map((name, index) => (
				<li key={`${name}:${index.toString()}`} className="file" aria-busy="true">
					<Icon name="running" size="s" className="spin" />
					<span className="cut" dir="auto">
						{say('compose.attaching', { name })}
					</span>
				</li>
			))}
		</ul>
	);
}
