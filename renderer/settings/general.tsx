import type { Settings } from '../../src/contract/methods/profile.ts';
import { shapeOf, shell } from '../connection/index.ts';
import { ReminderList } from '../reminders/reminder-list.tsx';
import { useSaveSettings, useSettings } from '../shell/queries.ts';
import { Switch } from '../ui/controls.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { type StringId, useSay } from '../ui/strings.tsx';
import { AtLogin } from './at-login.tsx';
import { HotkeyField } from './hotkey-field.tsx';
import { NumberRow } from './number-row.tsx';
import { Row, SectionHead } from './row.tsx';

const LIMITS = [
	{ key: 'modelSilenceSeconds', title: 'general.silence', hint: 'general.silenceHint', from: 5, to: 3600 },
	{ key: 'maxStepsPerTurn', title: 'general.steps', hint: 'general.stepsHint', from: 1, to: 200 },
	{ key: 'logDays', title: 'general.logDays', hint: 'general.logDaysHint', from: 1, to: 90 },
] as const satisfies readonly { key: keyof Settings; title: StringId; hint: StringId; from: number; to: number }[];

export function GeneralSection() {
	const say = useSay();
	const settings = useSettings();
	const save = useSaveSettings();
	const failure = settings.error ?? save.error;
	const values = settings.data;
	return (
		<section>
			<SectionHead title={say('settings.general')} lead={say('general.lead')} />
			{failure ? <ErrorNote error={shapeOf(failure)} /> : null}
			{values ? (
				<>
					<div className="tbl">
						<Row title={say('general.theme')} hint={say('general.themeHint')}>
							<fieldset className="seg">
								<legend className="vh">{say('general.theme')}</legend>
								{(['system', 'light', 'dark'] as const).map((theme) => (
									<button key={theme} type="button" aria-pressed={values.theme === theme} onClick={() => save.mutate({ theme })}>
										{say(`general.theme.${theme}`)}
									</button>
								))}
							</fieldset>
						</Row>
						<HotkeyField value={values.quickWindowHotkey} onSave={(quickWindowHotkey) => save.mutate({ quickWindowHotkey })} />
						<Row title={say('general.notifications')} hint={say('general.notificationsHint')}>
							<Switch
								label={say('general.notifications')}
								checked={values.notifications}
								onChange={(notifications) => save.mutate({ notifications })}
							/>
						</Row>
						{values.notifications ? (
							<Row title={say('general.notificationQuestions')} hint={say('general.notificationQuestionsHint')}>
								<Switch
									label={say('general.notificationQuestions')}
									checked={values.questionsInNotifications}
									onChange={(questionsInNotifications) => save.mutate({ questionsInNotifications })}
								/>
							</Row>
						) : null}
						{shell ? (
							<Row title={say('general.tray')} hint={say('general.trayHint')}>
								<Switch label={say('general.tray')} checked={values.keepInTray} onChange={(keepInTray) => save.mutate({ keepInTray })} />
							</Row>
						) : null}
						{shell ? <AtLogin on={values.startAtLogin} onSave={(startAtLogin) => save.mutate({ startAtLogin })} /> : null}
						{shell ? (
							<Row title={say('general.askBeforeQuit')} hint={say('general.askBeforeQuitHint')}>
								<Switch
									label={say('general.askBeforeQuit')}
									checked={values.askBeforeQuit}
									onChange={(askBeforeQuit) => save.mutate({ askBeforeQuit })}
								/>
							</Row>
						) : null}
					</div>
					<h3>{say('general.limits')}</h3>
					<div className="tbl">
						{LIMITS.map((limit) => (
							<NumberRow
								key={limit.key}
								title={say(limit.title)}
								hint={say(limit.hint)}
								problem={say('general.outOfRange', { from: limit.from, to: limit.to })}
								whole
								fits={(number) => Number.isInteger(number) && number >= limit.from && number <= limit.to}
								value={values[limit.key]}
								onSave={(value) => save.mutate({ [limit.key]: value })}
							/>
						))}
					</div>
					<ReminderList />
				</>
			) : null}
		</section>
	);
}
