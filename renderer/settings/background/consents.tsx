import type { HeartbeatStatus } from '../../../src/contract/methods/heartbeat.ts';
import { shapeOf } from '../../connection/index.ts';
import { useProviders } from '../../shell/queries.ts';
import { useWhen } from '../../timeline/marks.tsx';
import { Button } from '../../ui/button.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Row } from '../row.tsx';
import { focusLater, LOOK_BUTTON } from './place.ts';
import { useBackgroundChange } from './queries.ts';

type Consent = HeartbeatStatus['consents'][number];

/** The owner's answers on where text of others may go. */
export function Consents({ consents }: { consents: readonly Consent[] }) {
	const say = useSay();
	if (consents.length === 0) return null;
	return (
		<>
			<h3>{say('background.consents')}</h3>
			<p className="meta">{say('background.consentsLead')}</p>
			<div className="tbl">
				{consents.map((consent) => (
					<ConsentRow key={`${consent.providerId} ${consent.host}`} consent={consent} />
				))}
			</div>
		</>
	);
}

function ConsentRow({ consent: { providerId, host, allowed, at } }: { consent: Consent }) {
	const say = useSay();
	const when = useWhen();
	const providers = useProviders().data ?? [];
	const name = providers.find(({ provider }) => provider.id === providerId)?.provider.name ?? providerId;
	const withdraw = useBackgroundChange(
		(client, _: undefined) => client.heartbeat.withdrawConsent({ providerId, host }),
		() => {
			showToast(say('background.withdrawn'));
			focusLater(LOOK_BUTTON);
		},
	);
	return (
		<Row
			title={say('background.consent', { name, host })}
			hint={say('background.consentAt', { allowed: String(allowed), at: when(at) })}
			below={withdraw.error ? <ErrorNote error={shapeOf(withdraw.error)} /> : undefined}
		>
			<StateMark state={allowed ? 'done' : 'stale'}>{say(allowed ? 'background.consentAllowed' : 'background.consentRefused')}</StateMark>
			<Button
				size="sm"
				aria-label={say('background.withdrawOf', { name })}
				busy={withdraw.isPending}
				onClick={() => withdraw.mutate(undefined)}
			>
				{say('background.withdraw')}
			</Button>
		</Row>
	);
}
