import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { PromptPart } from '../../../src/contract/methods/chat.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import { LONG_TERM_FILE } from '../../../src/domain/memory.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { entryPlace, filePlace } from '../../memory/place.ts';
import { shownLabel } from '../../memory/provenance-parts.ts';
import { useCommand } from '../../shell/commands.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TrustLabel } from '../../ui/marks.tsx';
import { Popover } from '../../ui/popover.tsx';
import { useSay } from '../../ui/strings.tsx';
import { composerOf } from './composer-store.ts';
import { typedText } from './draft.ts';
import { MESSAGE_LIMIT } from './limits.ts';

type Preview = { parts: PromptPart[]; usedTokens: number; windowTokens: number; modelName: string };

/** What the next message would show the model, part by part; the owner can take parts out (M6). */
export function PromptPopover({ sessionId }: { sessionId: SessionId }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	useCommand('show_prompt', () => setOpen(true));
	return (
		<Popover
			open={open}
			onOpenChange={setOpen}
			title={say('prompt.title')}
			titleShown
			side="top"
			className="prompt"
			trigger={<IconButton icon="list" label={say('prompt.open')} />}
		>
			{open ? <Parts sessionId={sessionId} /> : null}
		</Popover>
	);
}

function Parts({ sessionId }: { sessionId: SessionId }) {
	const say = useSay();
	const [preview, setPreview] = useState<Preview | null>(null);
	const [problem, setProblem] = useState<string | null>(null);
	const load = async (): Promise<void> => {
		const text = (typedText(sessionId) ?? '').slice(0, MESSAGE_LIMIT);
		const attachmentIds = composerOf(sessionId).attachments.map(({ id }) => id);
		try {
			setPreview(await call((client) => client.chat.preview({ sessionId, text, attachmentIds }), { repeatable: true }));
			setProblem(null);
		} catch (error) {
			setProblem(say('prompt.failed', { problem: shapeOf(error).message }));
		}
	};
	// biome-ignore lint/correctness/useExhaustiveDependencies: asked once, each time the popover opens
	useEffect(() => void load(), []);
	const include = async (part: PromptPart): Promise<void> => {
		// The box answers at once; the runtime's new sum follows.
		const flip = (other: PromptPart): PromptPart => (other.id === part.id ? { ...other, included: !part.included } : other);
		setPreview((before) => before && { ...before, parts: before.parts.map(flip) });
		try {
			await call((client) => client.chat.includePart({ sessionId, partId: part.id, included: !part.included }), { repeatable: true });
		} catch (error) {
			setProblem(say('prompt.failed', { problem: shapeOf(error).message }));
		}
		await load();
	};
	return (
		<>
			<p className="meta num" role="status">
				{problem ??
					(preview
						? say('prompt.sum', { used: preview.usedTokens, window: preview.windowTokens, model: preview.modelName })
						: say('common.loading'))}
			</p>
			<ul className="parts">
				{preview?.parts.map((part) => (
					<li key={part.id} data-out={part.included ? undefined : true}>
						<details>
							<summary>
								<Icon name="right" size="s" />
								<span className="grow cut">{part.title}</span>
								{part.label ? <TrustLabel label={shownLabel({ label: part.label, origin: part.origin ?? part.label })} /> : null}
								<span className="meta num">{part.included ? say('prompt.tokens', { tokens: part.tokens }) : say('prompt.leftOut')}</span>
							</summary>
							<pre className="io" dir="auto">
								{part.text || say('prompt.empty')}
							</pre>
						</details>
						{part.removable ? (
							<input
								type="checkbox"
								checked={part.included}
								aria-label={say('prompt.include', { title: part.title })}
								onChange={() => void include(part)}
							/>
						) : (
							<span className="part-fixed" title={say('prompt.always')}>
								<Icon name="lock" size="s" />
								<span className="vh">{say('prompt.always')}</span>
							</span>
						)}
						{part.note ? <p className="meta">{part.note}</p> : null}
						<Offer part={part} />
					</li>
				))}
			</ul>
		</>
	);
}

/** What the owner can do so that more of it fits, and where: memory is trimmed, split and corrected in its own screen. */
function Offer({ part: { id, kind, action } }: { part: PromptPart }) {
	const say = useSay();
	if (kind !== 'memory_core' && kind !== 'recalled') return action ? <p className="meta">{action}</p> : null;
	return (
		<p className="meta">
			{action ? `${action} ` : null}
			{kind === 'memory_core' ? (
				<Link className="lnk" href={filePlace(LONG_TERM_FILE)}>
					{say('prompt.openMemory')}
				</Link>
			) : (
				<Link className="lnk" href={entryPlace(id.slice(RECALLED.length))}>
					{say('prompt.showEntry')}
				</Link>
			)}
		</p>
	);
}

/** The name of a recalled part is its entry's id after this. */
const RECALLED = 'memory:';
