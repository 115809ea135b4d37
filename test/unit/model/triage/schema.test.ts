import { expect, test } from 'vitest';
import { FindingKind, Urgency } from '../../../../src/domain/heartbeat.ts';
import { FindingDraft, TriageAnswer } from '../../../../src/model/triage/answer.ts';
import { triageTask } from '../../../../src/model/triage/request.ts';
import { TRIAGE_SCHEMA } from '../../../../src/model/triage/schema.ts';

test('what providers are told of the answer’s shape is what is read of it', () => {
	const { items } = (
		TRIAGE_SCHEMA as { properties: { findings: { items: { properties: Record<string, { enum?: string[] }>; required: string[] } } } }
	).properties.findings;
	const members = Object.keys(FindingDraft.shape).toSorted();
	expect(Object.keys(items.properties).toSorted()).toEqual(members);
	expect(items.required.toSorted()).toEqual(members);
	expect(items.properties.kind?.enum).toEqual(FindingKind.options);
	expect(items.properties.urgency?.enum).toEqual(Urgency.options);
});

test('the example in the instructions is an answer', () => {
	const { instructions } = triageTask({
		heartbeat: '',
		items: [],
		sourceTitle: '',
		now: 0,
		tokens: 5_000,
		count: (text) => text.length / 4,
	});
	const example = instructions.split('\n').find((line) => line.startsWith('{"findings"'));
	expect(TriageAnswer.safeParse(JSON.parse(example ?? '')).success).toBe(true);
});
