import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_SKILL, SkillName } from '../../../src/domain/skill.ts';
import { readSkill, skillFile } from '../../../src/tools/skills/format.ts';

const NAME = SkillName.parse('a-skill');

test('S1 what a model gives as description and text is never read as anything else: the file says just that', () => {
	const description = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }).filter((text) => text.trim() !== '');
	const body = fc.string({ unit: fc.constantFrom('-', '-', '\n', ':', '&', '*', '!', ' ', 'a', '"', '#', '\u2028'), maxLength: 60 });
	fc.assert(
		fc.property(description, body, (given, text) => {
			const read = readSkill(skillFile({ name: NAME, description: given, body: text }), NAME);
			expect(read).toMatchObject({ ok: true, skill: { name: NAME, description: given.replaceAll(/\s+/g, ' ').trim() } });
			expect(read.ok && read.skill.body.trim()).toBe(text.trim());
		}),
	);
});

test('S5 no file breaks the reading, and each that is refused says why', () => {
	const front = fc.string({ unit: fc.constantFrom(...'---\nname: a-skill\ndescription:&*!{}[],"\'|>%@`? \t0'), maxLength: 120 });
	fc.assert(
		fc.property(front, (text) => {
			const read = readSkill(`---\n${text}\n---\nbody`, NAME);
			if (!read.ok) expect(read.problem).toMatch(/\S/);
			else expect(read.skill.name).toBe(NAME);
		}),
	);
	for (const text of [
		'',
		'---',
		'---\nname: other\ndescription: x\n---\n',
		'---\nname: a-skill\n---\n',
		`---\nname: a-skill\ndescription: ${'x'.repeat(2_000)}\n---\n`,
		`---\nname: a-skill\ndescription: x\n---\n${'x'.repeat(LONGEST_SKILL)}`,
		'---\nname: a-skill\nname: a-skill\ndescription: x\n---\n',
		'---\nname: !!js/function "a"\ndescription: [x]\n---\n',
		'---\na: &a [x, x]\nname: a-skill\ndescription: *a\n---\n',
	])
		expect(readSkill(text, NAME).ok, text.slice(0, 60)).toBe(false);
});
