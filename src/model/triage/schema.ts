import type { Json } from '../../domain/json.ts';

/** `TriageAnswer` as JSON Schema for providers that keep an answer to one: every member is required and no others are there, as the strictest of them want it. */
export const TRIAGE_SCHEMA: { [key: string]: Json } = {
	type: 'object',
	properties: {
		findings: {
			type: 'array',
			items: {
				type: 'object',
				properties: {
					kind: { type: 'string', enum: ['memory', 'task', 'notice'] },
					item: { type: 'integer', description: 'Number of the item.' },
					text: { type: 'string', description: 'What to tell the owner or to remember: one or two plain sentences.' },
					why: { type: 'string', description: 'Which line of HEARTBEAT.md it serves, and how.' },
					quotes: { type: 'array', items: { type: 'string' }, description: 'One to three passages of the item, letter for letter.' },
					urgency: { type: 'string', enum: ['low', 'normal', 'high'] },
					dueAt: { type: ['string', 'null'], description: 'Of a task that has a time: ISO 8601 with offset. Else null.' },
				},
				required: ['kind', 'item', 'text', 'why', 'quotes', 'urgency', 'dueAt'],
				additionalProperties: false,
			},
		},
	},
	required: ['findings'],
	additionalProperties: false,
};
