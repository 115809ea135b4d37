import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { AUDIT } from '../audit/place.ts';
import { newSession, sayProblem } from '../chat/session-actions.ts';
import { shell } from '../connection/index.ts';
import { askForList, type InboxTab } from '../inbox/inbox-ui-store.ts';
import { askForSearch, useMemoryUi } from '../memory/memory-ui-store.ts';
import { openPalette } from '../palette/palette-store.ts';
import { lookNow } from '../settings/background/look-now.ts';
import { BACKGROUND, SOURCES } from '../settings/background/place.ts';
import { askToAddSource } from '../settings/background/sources/sources-ui-store.ts';
import { SPENDING } from '../settings/spending/place.ts';
import { ALL_TASK_RUNS, NEW_TASK, TASKS } from '../tasks/place.ts';
import { askFor } from '../tasks/tasks-ui-store.ts';
import { TIMELINE, WORKFLOWS } from '../timeline/place.ts';
import { askForRuns } from '../timeline/timeline-ui-store.ts';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { runCommand, useCommand } from './commands.ts';
import { focusComposer } from './focus-composer.ts';
import { listenForKeys } from './keys.ts';
import { usePauseCommand } from './pause-all.tsx';
import { useSaveSettings } from './queries.ts';
import { saveDiagnostics } from './save-file.ts';
import type { Theme } from './theme.ts';

/** What can be done from every screen; and the ways in which it is asked for: keys, the shell's menus and tray. */
export function useGlobalCommands(): void {
	const [, navigate] = useLocation();
	const say = useSay();
	const saveSettings = useSaveSettings();
	const go = (to: string) => () => navigate(to);
	const theme = (value: Theme) => () => saveSettings.mutate({ theme: value });

	const newChat = useEffectEvent(() => {
		newSession().then((session) => {
			navigate(`/chat/${session.id}`);
			focusComposer();
		}, sayProblem);
	});
	useCommand('new_chat', newChat);
	useCommand('focus_composer', () => {
		navigate('/chat');
		focusComposer();
	});
	useCommand('palette', () => openPalette('all'));
	useCommand('search', () => openPalette('search'));
	const inbox = (tab: InboxTab | undefined, which: 'pending' | 'decided') => () => {
		navigate('/inbox');
		askForList(tab, which);
	};
	useCommand('inbox', inbox(undefined, 'pending'));
	useCommand('inbox_actions', inbox('actions', 'pending'));
	useCommand('inbox_findings', inbox('proposals', 'pending'));
	useCommand('inbox_decided', inbox('proposals', 'decided'));
	useCommand('memory', go('/memory'));
	useCommand('audit', go(AUDIT));
	useCommand('add_memory', () => {
		navigate('/memory');
		useMemoryUi.setState({ dialog: { kind: 'add' } });
	});
	useCommand('search_memory', () => {
		navigate('/memory');
		askForSearch();
	});
	useCommand('tasks', () => {
		navigate(TASKS);
		askFor('list');
	});
	useCommand('new_task', () => {
		navigate(NEW_TASK);
		askFor('sentence');
	});
	useCommand('task_runs', go(ALL_TASK_RUNS));
	useCommand('timeline', () => {
		navigate(TIMELINE);
		askForRuns();
	});
	useCommand('workflows', () => {
		navigate(WORKFLOWS);
		askForRuns();
	});
	useCommand('settings', go('/settings'));
	useCommand('keyboard', go('/settings/keyboard'));
	useCommand('diagnostics', go('/settings/about'));
	useCommand('settings_profile', go('/settings/profile'));
	useCommand('settings_models', go('/settings/models'));
	useCommand('settings_secrets', go('/settings/secrets'));
	useCommand('settings_memory', go('/settings/memory'));
	useCommand('settings_background', go(BACKGROUND));
	useCommand('settings_spending', go(SPENDING));
	useCommand('settings_sources', go(SOURCES));
	useCommand('look_now', () => void lookNow(say));
	useCommand('add_source', () => {
		navigate(SOURCES);
		askToAddSource();
	});
	useCommand('settings_general', go('/settings/general'));
	useCommand('settings_about', go('/settings/about'));
	useCommand('theme_system', theme('system'));
	useCommand('theme_light', theme('light'));
	useCommand('theme_dark', theme('dark'));
	useCommand('save_diagnostics', () => void saveDiagnostics().then((done) => (done ? showToast(say('common.saved')) : undefined)));
	usePauseCommand();
	useCommand('open_folder', () => void shell?.showProfileFolder(), shell !== undefined);
	useCommand('restart_runtime', () => void shell?.restartRuntime(), shell !== undefined);

	const open = useEffectEvent((sessionId: string) => navigate(`/chat/${sessionId}`));
	useEffect(() => {
		const stopKeys = listenForKeys(window);
		const stopCommands = shell?.onCommand((command) => void runCommand(command));
		const stopOpen = shell?.onOpenSession((sessionId) => open(sessionId));
		return () => {
			stopKeys();
			stopCommands?.();
			stopOpen?.();
		};
	}, []);
}
