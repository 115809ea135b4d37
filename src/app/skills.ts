import type { HoldPort, HoldRequest, Proposals } from '../approvals/proposal-port.ts';
import { pendingOfSkills } from '../approvals/proposal-store.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import type { AuditLog } from '../firewall/ports.ts';
import type { Skills } from '../tools/skills/port.ts';
import { createSkills } from '../tools/skills/skills.ts';
import { auditSkills } from './audited.ts';
import type { Live } from './live.ts';

export interface SkillPartsDeps {
	readonly db: StateDb;
	readonly paths: { readonly skills: string };
	readonly live: Live;
	readonly logger: Logger;
	readonly clock: Clock;
	readonly audit: AuditLog;
	readonly proposals: Pick<Proposals, 'skillsChanged'> & { readonly port: HoldPort };
}

/** Skills, with what waits for the owner before one counts. */
export function createSkillParts({ db, paths, live, logger, clock, audit, proposals }: SkillPartsDeps): Skills {
	return createSkills({
		db,
		folder: paths.skills,
		clock,
		logger,
		made: auditSkills(audit),
		hold: ({ operation, provenance, stepKey }) => {
			const request: HoldRequest = {
				operation,
				provenance,
				label: 'external',
				rule: 'skill_found',
				reason: 'This file lies among the skills, but Hearth did not write it as it is.',
				stepKey,
			};
			proposals.port.hold(request);
		},
		waiting: (name) => pendingOfSkills(db.read, [name]),
		onChange: (names) => {
			proposals.skillsChanged(names);
			live.announce({ type: 'skills_changed' });
		},
	});
}
