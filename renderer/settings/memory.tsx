import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EmbeddingChoice } from '../../src/domain/memory.ts';
import { call, shapeOf, useConnection } from '../connection/index.ts';
import { IndexLine, useIndexStatus } from '../memory/index-line.tsx';
import { useEmbedding, useSecretStatus } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Select } from '../ui/select.tsx';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { parseAddress } from './provider-values.ts';
import { Row, SectionHead } from './row.tsx';

type Kind = EmbeddingChoice['kind'];
const KINDS: readonly Kind[] = ['embedded', 'ollama', 'openai-compatible', 'off'];
const NO_KEY = 'none';
const FIRST_ADDRESS: Partial<Record<Kind, string>> = { ollama: 'http://127.0.0.1:11434' };

/** How memory is found: the model that makes vectors, and the index. */
export function MemorySection() {
	const say = useSay();
	const embedding = useEmbedding();
	return (
		<section>
			<SectionHead title={say('settings.memory')} lead={say('memset.lead')} />
			{embedding.error ? <ErrorNote error={shapeOf(embedding.error)} /> : null}
			{embedding.data ? <ModelOf key={JSON.stringify(embedding.data)} saved={embedding.data} /> : null}
			<h3>{say('memset.index')}</h3>
			<IndexRows />
		</section>
	);
}

interface Draft {
	kind: Kind;
	address: string;
	modelId: string;
	secretName: string;
}

function draftOf(choice: EmbeddingChoice): Draft {
	return {
		kind: choice.kind,
		address: 'baseUrl' in choice ? choice.baseUrl : '',
		modelId: 'modelId' in choice ? choice.modelId : '',
		secretName: ('secretName' in choice ? choice.secretName : undefined) ?? NO_KEY,
	};
}

/** Undefined while something is missing. */
function choiceOf({ kind, address, modelId, secretName }: Draft): EmbeddingChoice | undefined {
	if (kind === 'embedded' || kind === 'off') return { kind };
	const baseUrl = parseAddress(address);
	if (!baseUrl || modelId.trim() === '') return undefined;
	if (kind === 'ollama') return { kind, baseUrl, modelId: modelId.trim() };
	return { kind, baseUrl, modelId: modelId.trim(), ...(secretName === NO_KEY ? {} : { secretName }) };
}

/** The model for meaning. One that needs nothing more is taken at once; a server's is tried first, and the old one stays if it fails. */
function ModelOf({ saved }: { saved: EmbeddingChoice }) {
	const say = useSay();
	const queries = useQueryClient();
	const secrets = useSecretStatus().data?.names ?? [];
	const [draft, setDraft] = useState(() => draftOf(saved));
	const [strict, setStrict] = useState(false);
	const save = useMutation({
		mutationFn: (choice: EmbeddingChoice) => call((client) => client.memory.chooseEmbedding(choice)),
		onSuccess: (index, choice) => {
			queries.setQueryData(['config', 'embedding'], choice);
			useConnection.setState({ index });
			showToast(say('memset.saved'));
		},
	});
	const server = draft.kind === 'ollama' || draft.kind === 'openai-compatible';
	const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
	const choose = (kind: Kind): void => {
		save.reset();
		setStrict(false);
		setDraft(kind === saved.kind ? draftOf(saved) : { kind, address: FIRST_ADDRESS[kind] ?? '', modelId: '', secretName: NO_KEY });
		if ((kind === 'embedded' || kind === 'off') && kind !== saved.kind) save.mutate({ kind });
	};
	const submit = (): void => {
		setStrict(true);
		const choice = choiceOf(draft);
		if (choice) save.mutate(choice);
	};
	return (
		<form
			className="tbl"
			onSubmit={(event) => {
				event.preventDefault();
				submit();
			}}
		>
			<Row
				icon="cpu"
				title={say('memset.model')}
				hint={say(`memset.kind.${draft.kind}Hint`)}
				below={save.error ? <ErrorNote error={shapeOf(save.error)} /> : undefined}
			>
				<Select
					label={say('memset.model')}
					value={draft.kind}
					onChange={(kind) => choose(kind as Kind)}
					disabled={save.isPending}
					options={KINDS.map((kind) => ({ value: kind, label: say(`memset.kind.${kind}`), hint: say(`memset.kind.${kind}Hint`) }))}
				/>
			</Row>
			{server ? (
				<div className="tr memset-server">
					<Field
						label={say('memset.address')}
						value={draft.address}
						onChange={(address) => set({ address })}
						error={strict && parseAddress(draft.address) === undefined ? say('memset.addressBad') : undefined}
						inputMode="url"
						autoComplete="off"
						spellCheck={false}
					/>
					<Field
						label={say('memset.modelId')}
						value={draft.modelId}
						onChange={(modelId) => set({ modelId })}
						hint={say('memset.modelIdHint')}
						error={strict && draft.modelId.trim() === '' ? say('memset.modelNeeded') : undefined}
						autoComplete="off"
						spellCheck={false}
					/>
					{draft.kind === 'openai-compatible' ? (
						<div className="form-field">
							<span className="form-label">{say('memset.secret')}</span>
							<Select
								label={say('memset.secret')}
								value={draft.secretName}
								onChange={(secretName) => set({ secretName })}
								options={[{ value: NO_KEY, label: say('memset.secretNone') }, ...secrets.map((name) => ({ value: name, label: name }))]}
							/>
							<p className="meta">{say('memset.secretHint')}</p>
						</div>
					) : null}
					<Button kind="primary" type="submit" busy={save.isPending}>
						{say('common.save')}
					</Button>
				</div>
			) : null}
		</form>
	);
}

function IndexRows() {
	const say = useSay();
	const index = useIndexStatus();
	const rebuild = useMutation({
		mutationFn: () => call((client) => client.memory.reindex()),
		onMutate: () => showToast(say('memset.rebuilding')),
	});
	if (!index) return null;
	const { done, total, embedded, model, problem } = index;
	return (
		<div className="tbl">
			<Row
				title={say('memset.state')}
				hint={`${say('memset.entries', { done, total, embedded })}. ${model === null ? say('memset.usingNone') : say('memset.using', { model })}.`}
				below={problem ? <ErrorNote error={problem} /> : undefined}
			>
				<span role="status">
					<IndexLine index={index} />
				</span>
			</Row>
			<Row
				title={say('memset.rebuild')}
				hint={say('memset.indexHint')}
				below={rebuild.error ? <ErrorNote error={shapeOf(rebuild.error)} /> : undefined}
			>
				<Button icon="redo" busy={rebuild.isPending || index.state === 'rebuilding'} onClick={() => rebuild.mutate()}>
					{say('memset.rebuild')}
				</Button>
			</Row>
		</div>
	);
}
