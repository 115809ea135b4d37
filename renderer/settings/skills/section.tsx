import { useState } from 'react';
import { Link } from 'wouter';
import type { Skill } from '../../../src/domain/skill.ts';
import { shapeOf } from '../../connection/index.ts';
import { INBOX } from '../../inbox/place.ts';
import { useSkills } from '../../shell/queries.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { StateMark, TrustLabel } from '../../ui/marks.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row, SectionHead } from '../row.tsx';
import { RemoveSkill } from './remove-skill.tsx';
import { EditSkill, NewSkill } from './skill-dialog.tsx';

type Open = { readonly what: 'edit' | 'remove'; readonly name: Skill['name'] } | { readonly what: 'new' };

/** The skills that lie in the profile. What waits is decided in the inbox, where all of it is shown. */
export function SkillsSection() {
	const say = useSay();
	const { data, error } = useSkills();
	const [open, setOpen] = useState<Open>();
	const close = (): void => setOpen(undefined);
	const chosen = open && open.what !== 'new' ? data?.skills.find(({ name }) => name === open.name) : undefined;
	return (
		<section>
			<SectionHead title={say('settings.skills')} lead={say('skills.lead')} />
			{error ? <ErrorNote error={shapeOf(error)} /> : null}
			<h3>
				{say('skills.list')}
				<Button icon="plus" disabled={!data} onClick={() => setOpen({ what: 'new' })}>
					{say('common.add')}
				</Button>
			</h3>
			{data?.skills.length === 0 ? <p className="meta">{say('skills.none')}</p> : null}
			{data && data.skills.length > 0 ? (
				<div className="tbl">
					{data.skills.map((skill) => (
						<SkillRow key={skill.name} skill={skill} onOpen={(what) => setOpen({ what, name: skill.name })} />
					))}
				</div>
			) : null}
			{data && data.ignored.length > 0 ? <p className="meta">{say('skills.ignored', { names: data.ignored.join(', ') })}</p> : null}
			{data && open?.what === 'new' ? <NewSkill taken={data.skills.map(({ name }) => name)} onClose={close} /> : null}
			{chosen && open?.what === 'edit' ? <EditSkill name={chosen.name} onClose={close} /> : null}
			{chosen && open?.what === 'remove' ? <RemoveSkill skill={chosen} onClose={close} /> : null}
		</section>
	);
}

const MARKS = { usable: 'done', waits: 'pending', refused: 'stale', broken: 'failed' } as const;

function SkillRow({ skill, onOpen }: { skill: Skill; onOpen: (what: 'edit' | 'remove') => void }) {
	const say = useSay();
	const { name, description, problem, state, label, otherFiles } = skill;
	const hint = (
		<>
			<span dir="auto">{problem ?? description}</span>
			{otherFiles > 0 ? <> {say('skills.otherFiles', { count: otherFiles })}</> : null}
		</>
	);
	return (
		<Row icon="bookmark" title={<code>{name}</code>} hint={hint}>
			<StateMark state={MARKS[state]}>{say(`skills.state.${state}`)}</StateMark>
			{state === 'usable' ? <TrustLabel label={label} /> : null}
			{state === 'waits' ? (
				<Link className="btn" href={INBOX}>
					{say('skills.decide')}
				</Link>
			) : null}
			{state === 'broken' ? null : <IconButton icon="edit" label={say('skills.edit', { name })} onClick={() => onOpen('edit')} />}
			<IconButton icon="trash" label={say('skills.remove', { name })} onClick={() => onOpen('remove')} />
		</Row>
	);
}
