import { exported } from '../firewall/audit-entries.ts';
import type { AuditLog } from '../firewall/ports.ts';
import type { Handlers } from './router.ts';

/** What leaves Hearth at the owner's wish as a file is in the audit log, once it is made. */
export function auditExports(audit: AuditLog, handlers: Handlers): Handlers {
	const { backup, sessions, system } = handlers;
	const note = (what: string, to: string, outcome: string) => audit.record([exported(what, to, outcome)]);
	/** Its name may say what a chat is about. */
	const somewhere = 'A file of yours';
	return {
		...handlers,
		backup: {
			...backup,
			export: async (input, context) => {
				const done = await backup.export(input, context);
				await note('This profile', done.path, `${done.files} files, ${done.bytes} bytes`);
				return done;
			},
		},
		sessions: {
			...sessions,
			export: async (input, context) => {
				const file = await sessions.export(input, context);
				await note('A chat', somewhere, `${file.text.length} characters`);
				return file;
			},
		},
		system: {
			...system,
			diagnostics: async (input, context) => {
				const file = await system.diagnostics(input, context);
				await note('Diagnostics', somewhere, `${file.text.length} characters`);
				return file;
			},
		},
	};
}
