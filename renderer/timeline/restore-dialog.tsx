import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { RestorePreview } from '../../src/contract/methods/runs.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { RunPlace, RunSummary } from '../../src/domain/run.ts';
import { ExactArguments } from '../chat/needs/exact-arguments.tsx';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { focusStepsOf } from './focus.ts';
import { useWhen } from './marks.tsx';
import { runPlace } from './place.ts';
import { refreshRun, useRestorePreview, useRunDetail } from './queries.ts';
import { undoRestore } from './run-actions.ts';
import { isUnderWay, stopAndShow } from './run-head.tsx';

interface Ticks {
	readonly chat: boolean;
	readonly files: boolean;
	/** Also files that somebody else changed since. */
	readonly theirs: boolean;
	readonly memory: boolean;
}

/** What a restore puts back, what it leaves, and what nothing can take back: all of it before the owner says yes (R4). */
export function RestoreDialog({ place, onClose }: { place: RunPlace; onClose: () => void }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const found = useRunDetail(place.runId);
	const run = found.data?.run;
	// It would go on into what is put back.
	const atWork = run !== undefined && isUnderWay(run);
	const asked = useRestorePreview(place, run?.status);
	const preview = asked.data;
	const problem = found.error ?? asked.error;
	const again = (): void => void (found.error ? found : asked).refetch();
	const [chosen, setChosen] = useState<Partial<Ticks>>({});
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	// One wish, however often it is tried.
	const requestId = useRef(crypto.randomUUID());
	const can = preview && possible(preview);
	const ticks: Ticks = {
		chat: (chosen.chat ?? true) && (can?.chat ?? false),
		files: (chosen.files ?? true) && (can?.files ?? false),
		theirs: chosen.theirs ?? false,
		memory: (chosen.memory ?? true) && (can?.memory ?? false),
	};
	const nothing = !ticks.chat && !ticks.files && !ticks.memory;
	const show = (runId: RunId): void => {
		navigate(runPlace(runId));
		focusStepsOf(runId);
	};
	const restore = async (): Promise<void> => {
		if (busy || nothing || atWork) return;
		setBusy(true);
		setFailure(undefined);
		try {
			const files = ticks.files ? (ticks.theirs ? 'all' : 'safe') : 'no';
			const { chat, memory } = ticks;
			const wish = { ...place, chat, files, memory, requestId: requestId.current } as const;
			const record = await call((client) => client.runs.restore(wish), { repeatable: true });
			onClose();
			const done = place.step === 0 ? say('timeline.restoredStart') : say('timeline.restored', { step: place.step });
			const left =
				record.left.length === 0 ? '' : ` ${say('timeline.restoredExcept', { what: record.left.map(({ what }) => what).join(', ') })}`;
			showToast(`${done}${left}`, {
				label: say('timeline.undo'),
				run: () => void undoRestore(record).then(() => (record.newRunId ? show(place.runId) : undefined)),
			});
			void refreshRun(place.runId);
			if (record.newRunId) show(record.newRunId);
		} catch (error) {
			setFailure(shapeOf(error));
			setBusy(false);
		}
	};
	const tick = (change: Partial<Ticks>): void => setChosen((before) => ({ ...before, ...change }));
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			title={place.step === 0 ? say('timeline.restoreTitleStart') : say('timeline.restoreTitle', { step: place.step })}
			lead={say('timeline.restoreLead')}
			onSubmit={() => void restore()}
			footer={
				<>
					{preview && nothing ? <span className="meta at-start">{say('timeline.restoreNothing')}</span> : null}
					<FormButtons onCancel={onClose} action={say('timeline.restoreAction')} busy={busy} disabled={!preview || nothing || atWork} />
				</>
			}
		>
			{problem ? <ErrorNote error={shapeOf(problem)} actions={<Button onClick={again}>{say('common.tryAgain')}</Button>} /> : null}
			{run && atWork ? <StopFirst run={run} /> : null}
			{preview ? (
				<>
					<ChatPart preview={preview} ticks={ticks} tick={tick} />
					<FilesPart preview={preview} ticks={ticks} tick={tick} />
					<MemoryPart preview={preview} ticks={ticks} tick={tick} />
					<Effects effects={preview.effects} />
				</>
			) : problem ? null : (
				<p aria-busy="true">{say('common.loading')}</p>
			)}
			{failure ? <ErrorNote error={failure} /> : null}
		</Dialog>
	);
}

function StopFirst({ run }: { run: RunSummary }) {
	const say = useSay();
	const box = useRef<HTMLDivElement>(null);
	const stop = async (): Promise<void> => {
		const form = box.current?.closest('form');
		await stopAndShow(run);
		// The button that had it is gone.
		form?.querySelector<HTMLElement>('input:enabled')?.focus();
	};
	return (
		<div className="stop-first" ref={box}>
			<Note
				icon="alert"
				role="status"
				title={say('timeline.stopFirstTitle')}
				actions={
					<Button icon="stop" onClick={() => void stop()}>
						{say('timeline.stop')}
					</Button>
				}
			>
				<p>{say('timeline.stopFirstBody')}</p>
			</Note>
		</div>
	);
}

function possible({ chat, files, memory }: RestorePreview): Pick<Ticks, 'chat' | 'files' | 'memory'> {
	return { chat: chat.possible, files: files.length > 0, memory: memory.some(({ why }) => why === undefined) };
}

interface PartProps {
	preview: RestorePreview;
	ticks: Ticks;
	tick: (change: Partial<Ticks>) => void;
}

function Tick({ label, checked, disabled, onChange }: { label: string; checked: boolean; disabled: boolean; onChange: () => void }) {
	return (
		<label className="check">
			<input type="checkbox" checked={checked} disabled={disabled} onChange={onChange} />
			<b>{label}</b>
		</label>
	);
}

function ChatPart({ preview, ticks, tick }: PartProps) {
	const say = useSay();
	const { possible: can, steps, messages, why } = preview.chat;
	return (
		<div className="restore-part">
			<Tick label={say('timeline.restoreChat')} checked={ticks.chat} disabled={!can} onChange={() => tick({ chat: !ticks.chat })} />
			<p className="meta">{can ? say('timeline.restoreChatHint', { steps, messages }) : why}</p>
		</div>
	);
}

function FilesPart({ preview: { files }, ticks, tick }: PartProps) {
	const say = useSay();
	const theirs = files.filter((file) => file.theirs !== undefined);
	const put = files.length - (ticks.theirs ? 0 : theirs.length);
	return (
		<div className="restore-part">
			<Tick
				label={say('timeline.restoreFiles')}
				checked={ticks.files}
				disabled={files.length === 0}
				onChange={() => tick({ files: !ticks.files })}
			/>
			<p className="meta">{say('timeline.restoreFilesHint', { count: files.length === 0 ? 0 : put, any: files.length })}</p>
			{files.length > 0 ? (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
				<ul tabIndex={0}>
					{files.map((file) => {
						const left = file.theirs !== undefined && !ticks.theirs;
						return (
							<li key={file.path} className={left || !ticks.files ? 'left' : undefined}>
								<code>{file.path}</code>{' '}
								<span className="meta">
									{file.theirs === undefined
										? say('timeline.fileAction', { action: file.action })
										: `${file.theirs} ${left ? say('timeline.theirsLeft') : say('timeline.theirsToo', { action: file.action })}`}
								</span>
							</li>
						);
					})}
				</ul>
			) : null}
			{theirs.length > 0 ? (
				<label className="check">
					<input type="checkbox" checked={ticks.theirs} disabled={!ticks.files} onChange={() => tick({ theirs: !ticks.theirs })} />
					<span>{say('timeline.theirsTick', { count: theirs.length })}</span>
				</label>
			) : null}
		</div>
	);
}

function MemoryPart({ preview: { memory }, ticks, tick }: PartProps) {
	const say = useSay();
	const metaOf = ({ file, why, comesBack }: (typeof memory)[number]): string => {
		if (why !== undefined) return say('timeline.memoryStays', { why });
		return comesBack ? say('timeline.memoryComesBack', { file }) : file;
	};
	const back = memory.filter(({ why }) => why === undefined);
	return (
		<div className="restore-part">
			<Tick
				label={say('timeline.restoreMemory')}
				checked={ticks.memory}
				disabled={back.length === 0}
				onChange={() => tick({ memory: !ticks.memory })}
			/>
			<p className="meta">{say('timeline.restoreMemoryHint', { count: back.length })}</p>
			{memory.length > 0 ? (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
				<ul tabIndex={0}>
					{memory.map((one) => (
						<li key={one.changeId} className={one.why !== undefined || !ticks.memory ? 'left' : undefined}>
							<span dir="auto">{one.text}</span> <span className="meta">{metaOf(one)}</span>
						</li>
					))}
				</ul>
			) : null}
		</div>
	);
}

/** What reached the world outside: named before the owner decides, with exactly what was done. */
function Effects({ effects }: Pick<RestorePreview, 'effects'>) {
	const say = useSay();
	const when = useWhen();
	if (effects.length === 0) return <p className="meta effects">{say('timeline.effectsNone')}</p>;
	return (
		<div className="effects">
			<Note icon="alert" title={say('timeline.effectsTitle')}>
				<p>{say('timeline.effectsLead')}</p>
				<ul>
					{effects.map(({ runId, step, tool, title, args, at }) => (
						<li key={`${runId}:${step}`}>
							<details>
								<summary>
									<b>{title || tool}</b>{' '}
									<span className="meta">{say('timeline.effectAt', { step, time: when(at, { seconds: true }) })}</span>
								</summary>
								<ExactArguments args={args} />
							</details>
						</li>
					))}
				</ul>
			</Note>
		</div>
	);
}
