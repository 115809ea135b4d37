import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import type { IconName } from '../ui/icon.tsx';
import type { StringId } from '../ui/strings.tsx';

/**
 * Everything the owner can do by command. One table feeds the palette, the keys, the keyboard map and the shell's menus;
 * a screen provides what a command does with `useCommand` while it is there. The name of a command is the string `command.<id>`.
 */
interface CommandInfo {
	group: 'general' | 'chat' | 'inbox' | 'memory' | 'tasks' | 'timeline' | 'audit' | 'settings';
	icon: IconName;
	/** `Mod` is Ctrl, on a Mac the command key. */
	keys?: string;
	/** Left out of the palette, such as the palette itself. */
	hidden?: true;
}

export const COMMANDS = {
	new_chat: { group: 'general', icon: 'plus', keys: 'Mod+N' },
	search: { group: 'general', icon: 'search', keys: 'Mod+Shift+F' },
	palette: { group: 'general', icon: 'search', keys: 'Mod+K', hidden: true },
	inbox: { group: 'general', icon: 'inbox', keys: 'Mod+I' },
	memory: { group: 'general', icon: 'memory', keys: 'Mod+Shift+M' },
	tasks: { group: 'general', icon: 'tasks', keys: 'Mod+Shift+L' },
	new_task: { group: 'general', icon: 'plus' },
	timeline: { group: 'general', icon: 'timeline', keys: 'Mod+J' },
	workflows: { group: 'general', icon: 'list' },
	audit: { group: 'general', icon: 'audit' },
	settings: { group: 'general', icon: 'settings', keys: 'Mod+Comma' },
	pause_all: { group: 'general', icon: 'pause', keys: 'Mod+Shift+P' },
	look_now: { group: 'general', icon: 'bolt' },
	add_source: { group: 'general', icon: 'feed' },
	focus_composer: { group: 'chat', icon: 'edit', keys: 'Mod+L' },
	toggle_list: { group: 'chat', icon: 'list', keys: 'Mod+B' },
	find_in_chat: { group: 'chat', icon: 'search', keys: 'Mod+F' },
	previous_chat: { group: 'chat', icon: 'up', keys: 'Alt+ArrowUp' },
	next_chat: { group: 'chat', icon: 'down', keys: 'Alt+ArrowDown' },
	stop: { group: 'chat', icon: 'stop', keys: 'Escape' },
	regenerate: { group: 'chat', icon: 'redo' },
	copy_reply: { group: 'chat', icon: 'copy' },
	attach: { group: 'chat', icon: 'clip' },
	choose_model: { group: 'chat', icon: 'cpu' },
	show_prompt: { group: 'chat', icon: 'info' },
	show_run: { group: 'chat', icon: 'timeline' },
	rename_chat: { group: 'chat', icon: 'edit', keys: 'F2' },
	pin_chat: { group: 'chat', icon: 'pin' },
	export_markdown: { group: 'chat', icon: 'download' },
	export_json: { group: 'chat', icon: 'download' },
	delete_chat: { group: 'chat', icon: 'trash' },
	inbox_actions: { group: 'inbox', icon: 'alert' },
	inbox_findings: { group: 'inbox', icon: 'inbox' },
	inbox_decided: { group: 'inbox', icon: 'history' },
	search_memory: { group: 'memory', icon: 'search' },
	add_memory: { group: 'memory', icon: 'plus' },
	task_run: { group: 'tasks', icon: 'play' },
	task_pause: { group: 'tasks', icon: 'pause' },
	task_edit: { group: 'tasks', icon: 'edit' },
	task_history: { group: 'tasks', icon: 'history' },
	task_remove: { group: 'tasks', icon: 'trash' },
	task_runs: { group: 'tasks', icon: 'history' },
	timeline_inspect: { group: 'timeline', icon: 'search' },
	timeline_restore: { group: 'timeline', icon: 'history' },
	timeline_fork: { group: 'timeline', icon: 'fork' },
	timeline_resume: { group: 'timeline', icon: 'play' },
	timeline_stop: { group: 'timeline', icon: 'stop' },
	timeline_chat: { group: 'timeline', icon: 'chat' },
	audit_verify: { group: 'audit', icon: 'redo' },
	audit_export: { group: 'audit', icon: 'download' },
	settings_profile: { group: 'settings', icon: 'user' },
	settings_models: { group: 'settings', icon: 'cpu' },
	settings_secrets: { group: 'settings', icon: 'key' },
	settings_memory: { group: 'settings', icon: 'memory' },
	settings_background: { group: 'settings', icon: 'bolt' },
	settings_spending: { group: 'settings', icon: 'gauge' },
	settings_sources: { group: 'settings', icon: 'feed' },
	settings_general: { group: 'settings', icon: 'settings' },
	settings_about: { group: 'settings', icon: 'info' },
	keyboard: { group: 'settings', icon: 'list', keys: 'Mod+Slash' },
	diagnostics: { group: 'settings', icon: 'bolt' },
	theme_system: { group: 'settings', icon: 'settings' },
	theme_light: { group: 'settings', icon: 'settings' },
	theme_dark: { group: 'settings', icon: 'settings' },
	save_diagnostics: { group: 'settings', icon: 'save' },
	open_folder: { group: 'settings', icon: 'folder' },
	restart_runtime: { group: 'settings', icon: 'redo' },
} as const satisfies Record<string, CommandInfo>;

export type CommandId = keyof typeof COMMANDS;
export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

export function commandInfo(id: CommandId): CommandInfo & { title: StringId } {
	return { ...COMMANDS[id], title: `command.${id}` };
}

type Runners = Partial<Record<CommandId, readonly (() => void)[]>>;
/** Who provides each command now, the newest last. */
const useRunners = create<{ runners: Runners }>()(() => ({ runners: {} }));

/** Provides a command until the returned function is called; the newest provider is the one that runs. */
export function provideCommand(id: CommandId, run: () => void): () => void {
	const entry = (): void => run();
	useRunners.setState(({ runners }) => ({ runners: { ...runners, [id]: [...(runners[id] ?? []), entry] } }));
	return () => {
		useRunners.setState(({ runners }) => ({ runners: { ...runners, [id]: (runners[id] ?? []).filter((other) => other !== entry) } }));
	};
}

/** Provides a command while the component is there and `enabled`. */
export function useCommand(id: CommandId, run: () => void, enabled = true): void {
	const latest = useEffectEvent(run);
	useEffect(() => (enabled ? provideCommand(id, () => latest()) : undefined), [id, enabled]);
}

/** False where nothing provides the command now. */
export function runCommand(id: CommandId): boolean {
	const run = useRunners.getState().runners[id]?.at(-1);
	run?.();
	return run !== undefined;
}

/** The commands that can run now, in the table's order. */
export function useAvailableCommands(): CommandId[] {
	const runners = useRunners((state) => state.runners);
	return COMMAND_IDS.filter((id) => (runners[id]?.length ?? 0) > 0);
}
