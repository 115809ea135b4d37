import { expect, test } from 'vitest';
import { describeNeed } from '../../../src/cli/commands/needs.ts';
import { Interrupt } from '../../../src/domain/run.ts';
import { approvalDetail } from '../../support/firewall.ts';

const interrupt = (detail: Interrupt['detail']): Interrupt =>
	Interrupt.parse({
		id: '018f0000-0000-7000-8000-000000000001',
		runId: '018f0000-0000-7000-8000-000000000002',
		sessionId: '018f0000-0000-7000-8000-000000000003',
		step: 1,
		callId: 'call',
		detail,
		shownHash: 'a'.repeat(64),
		status: 'open',
		createdAt: 1,
	});

test('B3 the terminal shows all of an approval that its hash stands for', () => {
	const shown = describeNeed(
		interrupt(
			approvalDetail({
				tool: 'send_mail',
				title: 'Send a letter',
				args: { to: 'a@example.org' },
				effect: 'effectful',
				label: 'external',
				rule: 'ask-effectful',
				reason: 'It acts on the world.',
			}),
		),
	);
	for (const part of ['send_mail', 'Send a letter', '"a@example.org"', 'effectful', 'external', 'ask-effectful', 'It acts on the world.'])
		expect(shown).toContain(part);
});

test('B3 so with the question whether something happened', () => {
	const shown = describeNeed(
		interrupt({ kind: 'did_it_happen', tool: 'send_mail', title: 'Send a letter', args: { to: 'a@example.org' }, startedAt: 1 }),
	);
	for (const part of ['send_mail', 'Send a letter', '"a@example.org"']) expect(shown).toContain(part);
});
