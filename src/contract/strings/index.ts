import { createIntl, createIntlCache, type IntlShape } from '@formatjs/intl';
import { audit } from './en/audit.ts';
import { background } from './en/background.ts';
import { chat } from './en/chat.ts';
import { commands } from './en/commands.ts';
import { common } from './en/common.ts';
import { firstRun } from './en/first-run.ts';
import { forget } from './en/forget.ts';
import { inbox } from './en/inbox.ts';
import { inboxList } from './en/inbox-list.ts';
import { memory } from './en/memory.ts';
import { memorySettings } from './en/memory-settings.ts';
import { native } from './en/native.ts';
import { outgoing } from './en/outgoing.ts';
import { permissions } from './en/permissions.ts';
import { servers } from './en/servers.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { skills } from './en/skills.ts';
import { sources } from './en/sources.ts';
import { spending } from './en/spending.ts';
import { taskForm } from './en/task-form.ts';
import { tasks } from './en/tasks.ts';
import { timeline } from './en/timeline.ts';
import { tools } from './en/tools.ts';
import { work } from './en/work.ts';
import { workflows } from './en/workflows.ts';

/** Every word Hearth shows, in ICU message syntax. One catalogue for views, menus and the tray. */
export const en = {
	...common,
	...commands,
	...shell,
	...chat,
	...firstRun,
	...settings,
	...memory,
	...forget,
	...memorySettings,
	...inbox,
	...inboxList,
	...tasks,
	...taskForm,
	...timeline,
	...tools,
	...workflows,
	...audit,
	...permissions,
	...servers,
	...outgoing,
	...skills,
	...native,
	...spending,
	...work,
	...background,
	...sources,
};
export type StringId = keyof typeof en;
export type StringValues = Record<string, string | number | Date>;

export const LOCALE = 'en';

/** A formatter outside React: for menus, the tray and notifications. Throws on a message that does not parse. */
export function createStrings(locale: string = LOCALE): (id: StringId, values?: StringValues) => string {
	const intl: IntlShape<string> = createIntl(
		{
			locale,
			messages: en,
			onError: (error) => {
				throw error;
			},
		},
		createIntlCache(),
	);
	return (id, values) => String(intl.formatMessage({ id }, values));
}
