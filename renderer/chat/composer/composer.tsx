import {
	type ClipboardEvent,
	type KeyboardEvent,
	type Ref,
	type RefObject,
	useEffect,
	useImperativeHandle,
	useLayoutEffect,
	useRef,
	useState,
} from 'react';
import { DRAFT_LIMIT } from '../../../src/contract/methods/sessions.ts';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import { useConnection } from '../../connection/index.ts';
import { useCommand } from '../../shell/commands.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { isComposing } from '../../ui/controls.tsx';
import { useSay } from '../../ui/strings.tsx';
import { sendMessage, stopRun } from '../turn-actions.ts';
import { AttachmentChips } from './attachment-chips.tsx';
import { BudgetNote } from './budget-note.tsx';
import { attachFiles, changeComposer, removeAttachment, textFile, useComposer } from './composer-store.ts';
import { adoptEarly, earlyText, keepDraft, keepEarly, restoreDraft, saveAllDrafts, saveNow, typedText } from './draft.ts';
import { MESSAGE_LIMIT, pasteIsLong } from './limits.ts';
import { ModelPicker } from './model-picker.tsx';
import { PromptPopover } from './prompt-popover.tsx';

export interface ComposerHandle {
	/** Puts words into the field, the cursor after them. */
	suggest(text: string): void;
	chooseFiles(): void;
}

interface ComposerProps {
	sessionId: SessionId;
	/** The run that is at work in this session. */
	runId: RunId | null;
	/** Called when a message went off: the transcript goes to its end. */
	onSent: () => void;
	ref?: Ref<ComposerHandle>;
}

/** The field for a new message. Its text is its own state: a key renders nothing but this. Mounted anew for each session. */
export function Composer({ sessionId, runId, onSent, ref }: ComposerProps) {
	const say = useSay();
	const { attachments, reading, problem, sending } = useComposer(sessionId);
	const online = useConnection((state) => state.link.state === 'online');
	const [text, setText] = useState(() => {
		adoptEarly(sessionId);
		return typedText(sessionId) ?? '';
	});
	const field = useRef<HTMLTextAreaElement>(null);
	const files = useRef<HTMLInputElement>(null);
	const running = runId !== null;
	const tooLong = text.length > MESSAGE_LIMIT;
	const sendable = (text.trim() !== '' || attachments.length > 0) && reading.length === 0 && !tooLong && !running && !sending;

	const change = (next: string): void => {
		setText(next);
		keepDraft(sessionId, next);
	};
	useKeptDraft(sessionId, setText);
	useFocusWhenFree(field);
	useImperativeHandle(ref, () => ({
		suggest(words) {
			change(words);
			requestAnimationFrame(() => {
				field.current?.focus();
				field.current?.setSelectionRange(words.length, words.length);
			});
		},
		chooseFiles: () => files.current?.click(),
	}));
	useCommand('focus_composer', () => field.current?.focus());
	useCommand('attach', () => files.current?.click());
	useCommand('stop', () => runId && void stopRun(runId), running);

	const send = async (): Promise<void> => {
		if (!sendable) return;
		const sent = text;
		change('');
		onSent();
		const done = await sendMessage(sessionId, sent, attachments);
		// What could not be sent comes back, unless something new was begun meanwhile.
		if (!done && !typedText(sessionId)) change(sent);
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing(event)) return;
		event.preventDefault();
		void send();
	};
	const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
		const { files: pastedFiles } = event.clipboardData;
		if (pastedFiles.length > 0) {
			event.preventDefault();
			void attachFiles(sessionId, [...pastedFiles]);
			return;
		}
		const words = event.clipboardData.getData('text/plain');
		if (!pasteIsLong(words, text.length)) return;
		// Never put into the field: laying out a megabyte there is what freezes a window (chat-1).
		event.preventDefault();
		void attachFiles(sessionId, [textFile(words)]);
	};
	const makeAttachment = (): void => {
		void attachFiles(sessionId, [textFile(text)]);
		change('');
	};

	return (
		<form
			className="composer"
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			<AttachmentChips
				attachments={attachments}
				reading={reading}
				onRemove={({ id }) => {
					removeAttachment(sessionId, id);
					field.current?.focus();
				}}
			/>
			<p className="vh" role="status">
				{say('compose.attached', { count: attachments.length })}
			</p>
			<label className="vh" htmlFor="msg">
				{say('compose.label')}
			</label>
			<textarea
				id="msg"
				ref={field}
				rows={1}
				dir="auto"
				value={text}
				placeholder={say('compose.placeholder')}
				aria-describedby={problem ? 'msg-problem' : undefined}
				onChange={(event) => change(event.target.value)}
				onKeyDown={onKeyDown}
				onPaste={onPaste}
				onBlur={() => saveNow(sessionId)}
			/>
			<BudgetNote />
			{problem || text.length > DRAFT_LIMIT ? (
				<p className={problem || tooLong ? 'compose-problem' : 'compose-problem mild'} id="msg-problem" role="status">
					<span className="grow">
						{problem ?? say(tooLong ? 'compose.tooLong' : 'compose.draftTooLong', { limit: tooLong ? MESSAGE_LIMIT : DRAFT_LIMIT })}
					</span>
					{problem ? (
						<IconButton
							icon="x"
							size="sm"
							label={say('common.dismiss')}
							onClick={() => changeComposer(sessionId, () => ({ problem: null }))}
						/>
					) : (
						<Button size="sm" onClick={makeAttachment}>
							{say('compose.makeAttachment')}
						</Button>
					)}
				</p>
			) : null}
			<div className="composer-bar">
				<IconButton icon="clip" label={say('compose.attach')} onClick={() => files.current?.click()} />
				<input
					ref={files}
					type="file"
					multiple
					hidden
					tabIndex={-1}
					aria-hidden="true"
					onChange={(event) => {
						void attachFiles(sessionId, [...(event.target.files ?? [])]);
						event.target.value = '';
						field.current?.focus();
					}}
				/>
				<PromptPopover sessionId={sessionId} />
				<ModelPicker />
				<span className="meta">{online ? say('compose.hint') : say('compose.offline')}</span>
				{running ? (
					<IconButton icon="stop" kind="primary" label={say('compose.stop')} keys="Escape" onClick={() => runId && void stopRun(runId)} />
				) : (
					<IconButton icon="send" kind="primary" type="submit" label={say('compose.send')} disabled={!sendable} />
				)}
			</div>
		</form>
	);
}

/** Brings back what was typed before; keeps it when the window goes. */
function useKeptDraft(sessionId: SessionId, setText: (text: string) => void): void {
	useEffect(() => {
		let current = true;
		void restoreDraft(sessionId, (text) => {
			if (current) setText(text);
		});
		window.addEventListener('pagehide', saveAllDrafts);
		return () => {
			current = false;
			window.removeEventListener('pagehide', saveAllDrafts);
			saveNow(sessionId);
		};
	}, [sessionId, setText]);
}

/** A chat that opens is ready to be written in, unless the owner is doing something else. */
function useFocusWhenFree(field: RefObject<HTMLTextAreaElement | null>): void {
	useLayoutEffect(() => {
		// What the benchmark of the start waits for.
		performance.mark('composer-takes-keys');
		if (document.activeElement !== null && document.activeElement !== document.body) return;
		field.current?.focus();
		field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
	}, [field]);
}

/** The field before the runtime has answered: it takes keys at once, and the chat that opens goes on with them. */
export function EarlyComposer() {
	const say = useSay();
	const [text, setText] = useState(earlyText);
	const field = useRef<HTMLTextAreaElement>(null);
	useFocusWhenFree(field);
	return (
		<div className="composer">
			<label className="vh" htmlFor="early">
				{say('compose.earlyLabel')}
			</label>
			<textarea
				id="early"
				ref={field}
				rows={1}
				dir="auto"
				value={text}
				placeholder={say('compose.placeholder')}
				onChange={(event) => {
					setText(event.target.value);
					keepEarly(event.target.value);
				}}
				onKeyDown={(event) => {
					// Nothing is sent into a chat that the owner does not see yet; nor does Enter leave a line behind.
					if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) event.preventDefault();
				}}
			/>
			<div className="composer-bar">
				<span className="meta">{say('compose.starting')}</span>
				<IconButton icon="send" kind="primary" label={say('compose.send')} disabled />
			</div>
		</div>
	);
}
