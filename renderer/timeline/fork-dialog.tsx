import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { messageText } from '../../src/domain/message.ts';
import type { RunPlace } from '../../src/domain/run.ts';
import { MESSAGE_LIMIT } from '../chat/composer/limits.ts';
import { call, shapeOf } from '../connection/index.ts';
import { modelOfValue, modelValue } from '../settings/provider-values.ts';
import { useProviders } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { type Option, Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { useStateAt } from './queries.ts';

/** The model that the run has now. */
const SAME = '';

/** A new chat that goes on from a step, with the owner's message as they want it now, or by another model (R4). */
export function ForkDialog({ place, onClose }: { place: RunPlace; onClose: () => void }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const asked = useStateAt(place);
	const said = asked.data?.messages.findLast(({ role }) => role === 'user');
	const original = said && messageText(said);
	const [edited, setEdited] = useState<string>();
	const [model, setModel] = useState(SAME);
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	// One wish, however often it is tried.
	const requestId = useRef(crypto.randomUUID());
	const field = useRef<HTMLTextAreaElement>(null);
	const models = useModelOptions();
	const text = edited ?? original ?? '';
	const usable = asked.data !== undefined && (original === undefined || text.trim() !== '') && text.length <= MESSAGE_LIMIT;
	const fork = async (): Promise<void> => {
		if (busy || !usable) return;
		setBusy(true);
		setFailure(undefined);
		try {
			const wish = {
				...place,
				requestId: requestId.current,
				...(edited !== undefined && edited !== original && { text: edited }),
				...(model !== SAME && { model: modelOfValue(model) }),
			};
			const { sessionId } = await call((client) => client.runs.fork(wish), { repeatable: true });
			onClose();
			navigate(`/chat/${sessionId}`);
		} catch (error) {
			setFailure(shapeOf(error));
			setBusy(false);
		}
	};
	return (
		<Dialog
			open
			wide
			onClose={onClose}
			initialFocus={field}
			title={place.step === 0 ? say('timeline.forkTitleStart') : say('timeline.forkTitle', { step: place.step })}
			lead={say('timeline.forkLead')}
			onSubmit={() => void fork()}
			footer={<FormButtons onCancel={onClose} action={say('timeline.forkAction')} busy={busy} disabled={!usable} />}
		>
			{asked.error ? (
				<ErrorNote error={shapeOf(asked.error)} actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>} />
			) : null}
			{asked.data && original === undefined ? (
				<p className="meta">{say('timeline.forkNoText')}</p>
			) : (
				<label className="form-field">
					<span className="form-label">{say('timeline.forkText')}</span>
					<textarea
						className="field area fork-text"
						rows={4}
						dir="auto"
						maxLength={MESSAGE_LIMIT}
						readOnly={original === undefined}
						aria-busy={original === undefined}
						ref={field}
						value={text}
						onChange={(event) => setEdited(event.target.value)}
					/>
				</label>
			)}
			<div className="form-field">
				<span className="form-label" aria-hidden="true">
					{say('timeline.forkModel')}
				</span>
				<Select
					label={say('timeline.forkModel')}
					value={model}
					options={[{ value: SAME, label: say('timeline.forkSame') }, ...models]}
					onChange={setModel}
				/>
			</div>
			{failure ? <ErrorNote error={failure} /> : null}
		</Dialog>
	);
}

/** Models that answer now. */
function useModelOptions(): Option[] {
	const say = useSay();
	const providers = useProviders().data ?? [];
	return providers.flatMap(({ provider, models, state }) =>
		state === 'ready' || provider.kind === 'builtin'
			? models.map((info) => ({
					value: modelValue({ providerId: provider.id, modelId: info.id }),
					label: provider.kind === 'builtin' ? provider.name : say('models.option', { model: info.name, provider: provider.name }),
				}))
			: [],
	);
}
