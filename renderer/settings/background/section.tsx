import { shapeOf } from '../../connection/index.ts';
import { useHeartbeat, useSaveSettings, useSettings } from '../../shell/queries.ts';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { NumberRow } from '../number-row.tsx';
import { Row, SectionHead } from '../row.tsx';
import { WorkRules } from '../work.tsx';
import { BrowserNotices } from './browser-notices.tsx';
import { Consents } from './consents.tsx';
import { HeldNote } from './held-note.tsx';
import { Interests } from './interests.tsx';
import { Looks } from './looks.tsx';
import { MinutesSelect } from './minutes-select.tsx';
import { ModelRow, SourcesRow } from './rows.tsx';
import { SwitchRow } from './switch-row.tsx';

const EVERY = [15, 30, 60, 120, 240, 480, 720, 1440] as const;
const CAPS = [
	{ key: 'findingsPerLook', title: 'background.perLook', hint: 'background.perLookHint', to: 50 },
	{ key: 'findingsPerDay', title: 'background.perDay', hint: 'background.perDayHint', to: 500 },
] as const;

/** Looks: whether, how often, what for, with what, and what became of the last ones. */
export function BackgroundSection() {
	const say = useSay();
	const settings = useSettings();
	const save = useSaveSettings();
	// Another editor may have changed HEARTBEAT.md since it was asked for.
	const status = useHeartbeat({ staleTime: 0 });
	const failure = settings.error ?? save.error ?? status.error;
	const values = settings.data;
	return (
		<section>
			<SectionHead title={say('settings.background')} lead={say('background.lead')} />
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
			{status.data ? <HeldNote status={status.data} /> : null}
			{values && status.data ? (
				<>
					<div className="tbl">
						<SwitchRow status={status.data} on={values.heartbeat} onSwitch={(heartbeat) => save.mutate({ heartbeat })} />
						<Row title={say('background.every')} hint={say('background.everyHint')}>
							<MinutesSelect
								label={say('background.every')}
								options={EVERY}
								value={values.heartbeatMinutes}
								onChange={(heartbeatMinutes) => save.mutate({ heartbeatMinutes })}
							/>
						</Row>
						<SourcesRow />
						<ModelRow model={status.data.model} />
						<BrowserNotices />
					</div>
					<Interests interests={status.data.interests} file={status.data.file} />
					<Consents consents={status.data.consents} />
					<Looks />
					<h3>{say('background.caps')}</h3>
					<p className="meta">{say('background.capsLead')}</p>
					<div className="tbl">
						{CAPS.map(({ key, title, hint, to }) => (
							<NumberRow
								key={key}
								title={say(title)}
								hint={say(hint)}
								problem={say('general.outOfRange', { from: 1, to })}
								whole
								fits={(number) => Number.isInteger(number) && number >= 1 && number <= to}
								value={values[key]}
								onSave={(value) => save.mutate({ [key]: value })}
							/>
						))}
					</div>
					<WorkRules values={values} onSave={save.mutate} />
				</>
			) : null}
		</section>
	);
}
