import { useState } from 'react';
import { shapeOf } from '../connection/index.ts';
import { useChoices, useLookAgain, useProviders } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { ModelChoice } from './model-choice.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderRow } from './provider-row.tsx';
import { SectionHead } from './row.tsx';

export function ModelsSection() {
	const say = useSay();
	const providers = useProviders();
	const choices = useChoices();
	const lookAgain = useLookAgain();
	const [adding, setAdding] = useState(false);
	const failure = providers.error ?? choices.error;
	const known = providers.data ?? [];
	return (
		<section>
			<SectionHead title={say('settings.models')} lead={say('models.lead')} />
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
			{choices.data ? (
				<div className="tbl">
					{(['chat', 'background', 'summarise', 'fallback', 'inspect'] as const).map((work) => (
						<ModelChoice
							key={work}
							work={work}
							chosen={choices.data[work]}
							providers={known}
							except={work === 'fallback' ? choices.data.chat : undefined}
						/>
					))}
				</div>
			) : null}
			<h3>
				{say('models.places')}
				<span className="h-acts">
					<Button kind="ghost" icon="redo" busy={lookAgain.isPending || providers.isPending} onClick={() => lookAgain.mutate()}>
						{say('models.lookAgain')}
					</Button>
					<Button icon="plus" onClick={() => setAdding(true)}>
						{say('common.add')}
					</Button>
				</span>
			</h3>
			<div className="tbl" aria-busy={providers.isPending}>
				{known.map((status) => (
					<ProviderRow key={status.provider.id} status={status} />
				))}
			</div>
			{adding ? <ProviderDialog purpose="add" onClose={() => setAdding(false)} onReady={() => setAdding(false)} /> : null}
		</section>
	);
}
