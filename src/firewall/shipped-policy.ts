import { OUTSIDE_EFFECT } from './outside-effect.ts';
import type { PolicyRule } from './policy-rule.ts';

/** What holds where the owner's `policy.yaml` says nothing. Data: it can be read in Settings, and each rule overruled by one above it. */
export const SHIPPED_POLICY: readonly PolicyRule[] = [
	{ id: 'forget_is_the_owners', sinks: ['forget'], verdict: 'hold', reason: 'Forgetting can’t be undone, so only you can do it.' },
	{ id: 'skill_is_the_owners', sinks: ['skill'], verdict: 'hold', reason: 'A procedure guides later work, so you read it first.' },
	{
		id: 'memory_from_outside',
		sinks: ['memory'],
		labels: ['external'],
		verdict: 'hold',
		reason: 'This reply has read text that you did not write and have not approved.',
	},
	{
		id: 'memory_by_agent',
		sinks: ['memory'],
		verdict: 'allow',
		reason: 'Only your own words and what you approved were read for it, and it can be undone.',
	},
	{ id: 'message_is_shown', sinks: ['message'], verdict: 'ask', reason: 'A message is shown to you whole before it leaves.' },
	{ id: 'task_is_shown', sinks: ['task'], verdict: 'ask', reason: 'It would run by itself later, so you see its card first.' },
	{
		id: 'command_without_sandbox',
		sinks: ['shell'],
		sandboxed: false,
		verdict: 'ask',
		reason: 'It would run without a sandbox, with all of your rights.',
	},
	{ id: 'read_granted', sinks: ['file'], access: 'read', named: true, verdict: 'allow', reason: 'It lies in a folder that you granted.' },
	{ id: 'read_elsewhere', sinks: ['file'], access: 'read', verdict: 'ask', reason: 'It lies outside the folders that you granted.' },
	{
		id: 'permitted',
		sinks: ['file', 'shell', 'network', 'server'],
		named: true,
		verdict: 'allow',
		reason: 'You permitted it.',
	},
	{
		id: 'effect_from_outside',
		sinks: ['file', 'shell', 'network', 'server'],
		labels: ['external'],
		verdict: 'ask',
		reason: OUTSIDE_EFFECT,
	},
	{
		id: 'command_with_network',
		sinks: ['shell'],
		network: true,
		verdict: 'ask',
		reason: 'It is a command that would reach the network.',
	},
	{ id: 'effect_not_named', sinks: ['file', 'shell', 'network', 'server'], verdict: 'ask', reason: 'No permission names it.' },
	{
		id: 'harmless',
		sinks: ['none'],
		effects: ['pure', 'idempotent'],
		verdict: 'allow',
		reason: 'It only reads, or doing it twice changes nothing.',
	},
	{
		id: 'effectful_from_outside',
		sinks: ['none'],
		labels: ['external'],
		verdict: 'ask',
		reason: 'It changes something, and this reply has read text that came from outside.',
	},
	{ id: 'effectful', sinks: ['none'], verdict: 'ask', reason: 'It changes something, and it may not be possible to undo it.' },
];
