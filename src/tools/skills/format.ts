import { parseDocument } from 'yaml';
import { z } from 'zod';
import { LONGEST_SKILL, LONGEST_SKILL_DESCRIPTION, SkillName } from '../../domain/skill.ts';

/** What a SKILL.md looks like: `name` and `description` between two lines of `---`, then Markdown. Pure. */

export interface SkillText {
	readonly name: SkillName;
	/** One line. */
	readonly description: string;
	/** Behind the front matter. */
	readonly body: string;
}

export type ReadSkill = { readonly ok: true; readonly skill: SkillText } | { readonly ok: false; readonly problem: string };

const FrontMatter = z.object({
	name: SkillName,
	description: z.string().trim().min(1, 'It has no description.').max(LONGEST_SKILL_DESCRIPTION),
});

/** `folder`: the name that it has to have. Other fields of the front matter mean nothing here. */
export function readSkill(text: string, folder: string): ReadSkill {
	if (text.length > LONGEST_SKILL) return bad(`It is longer than ${LONGEST_SKILL} characters.`);
	const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text);
	if (!match) return bad('It has to begin with a line “---”, then name and description, then another line “---”.');
	const document = parseDocument(match[1] ?? '', { schema: 'failsafe', uniqueKeys: true });
	if (document.errors.length > 0) return bad(`Its front matter can’t be read: ${document.errors[0]?.message.split('\n')[0] ?? ''}`);
	let fields: unknown;
	try {
		fields = document.toJS({ maxAliasCount: 0 });
	} catch {
		return bad('Its front matter may not refer to itself.');
	}
	const front = FrontMatter.safeParse(fields);
	if (!front.success) {
		const [issue] = front.error.issues;
		return bad(`${issue?.path.join('.') || 'Its front matter'}: ${issue?.message ?? 'is not as it should be.'}`);
	}
	const { name } = front.data;
	if (name !== folder) return bad(`It calls itself “${name}”, but lies in the folder “${folder}”.`);
	return { ok: true, skill: { name, description: front.data.description.replaceAll(/\s+/g, ' '), body: text.slice(match[0].length) } };
}

/** The whole file. `description` is put on one line. */
export function skillFile({ name, description, body }: SkillText): string {
	const line = description.replaceAll(/\s+/g, ' ').trim();
	return `---\nname: ${name}\ndescription: ${JSON.stringify(line)}\n---\n${body.startsWith('\n') ? '' : '\n'}${body}${body.endsWith('\n') ? '' : '\n'}`;
}

function bad(problem: string): ReadSkill {
	return { ok: false, problem };
}
