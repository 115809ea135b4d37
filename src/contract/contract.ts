import type { ContractRouterClient } from '@orpc/contract';
import { chat } from './methods/chat.ts';
import { audit, permissions } from './methods/firewall.ts';
import { heartbeat, sources } from './methods/heartbeat.ts';
import { backup, inbox, memory } from './methods/memory.ts';
import { models, secrets } from './methods/models.ts';
import { outgoing } from './methods/outgoing.ts';
import { documents, profiles, settings } from './methods/profile.ts';
import { reminders } from './methods/reminders.ts';
import { runs, work } from './methods/runs.ts';
import { servers } from './methods/servers.ts';
import { sessions } from './methods/sessions.ts';
import { skills } from './methods/skills.ts';
import { system } from './methods/system.ts';
import { tasks } from './methods/tasks.ts';
import { workflows } from './methods/workflows.ts';

/** Everything a view can ask of the runtime. Input and output are validated on the runtime's side of the border. */
export const contract = {
	system,
	sessions,
	chat,
	runs,
	models,
	secrets,
	profiles,
	documents,
	settings,
	memory,
	inbox,
	backup,
	work,
	workflows,
	audit,
	permissions,
	servers,
	outgoing,
	skills,
	reminders,
	sources,
	heartbeat,
	tasks,
};
export type Contract = typeof contract;
export type HearthClient = ContractRouterClient<Contract>;
