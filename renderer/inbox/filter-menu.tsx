import type { Proposal } from '../../src/domain/proposal.ts';
import type { ProposalList } from '../shell/proposals.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuCheck, MenuChoice, MenuHeading, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { choicesIn, OWN } from './filter.ts';
import { useInboxUi } from './inbox-ui-store.ts';
import type { GroupBy } from './list-rows.ts';

/** Which list is shown, how it is put together, and what is left out of it. */
export function FilterMenu({ proposals, onShow }: { proposals: readonly Proposal[]; onShow: (which: ProposalList) => void }) {
	const say = useSay();
	const which = useInboxUi((state) => state.which);
	const by = useInboxUi((state) => state.by);
	const filter = useInboxUi((state) => state.filter);
	const { sources, subjects, urgencies } = choicesIn(proposals);
	const change = (part: Partial<typeof filter>): void => useInboxUi.setState({ filter: { ...filter, ...part } });
	const flip = <T,>(values: readonly T[], value: T, on: boolean): T[] =>
		on ? [...values, value] : values.filter((other) => other !== value);
	return (
		<Menu trigger={<IconButton icon="filter" label={say('inbox.filter')} />}>
			<MenuHeading>{say('inbox.filter.show')}</MenuHeading>
			<MenuChoice
				value={which}
				onChange={(value) => onShow(value as ProposalList)}
				options={(['pending', 'snoozed', 'decided'] as const).map((value) => ({ value, label: say(`inbox.filter.${value}`) }))}
			/>
			{which === 'decided' ? null : (
				<>
					<MenuLine />
					<MenuHeading>{say('inbox.filter.by')}</MenuHeading>
					<MenuChoice
						value={by}
						onChange={(value) => useInboxUi.setState({ by: value as GroupBy })}
						options={(['look', 'source'] as const).map((value) => ({ value, label: say(`inbox.filter.by.${value}`) }))}
					/>
				</>
			)}
			{subjects.length > 1 ? (
				<>
					<MenuLine />
					<MenuHeading>{say('inbox.filter.kind')}</MenuHeading>
					{subjects.map((subject) => (
						<MenuCheck
							key={subject}
							checked={filter.subjects.includes(subject)}
							onChange={(on) => change({ subjects: flip(filter.subjects, subject, on) })}
						>
							{say(`inbox.subject.${subject}`)}
						</MenuCheck>
					))}
				</>
			) : null}
			{urgencies.length > 1 ? (
				<>
					<MenuLine />
					<MenuHeading>{say('inbox.filter.urgency')}</MenuHeading>
					{urgencies.map((urgency) => (
						<MenuCheck
							key={urgency}
							checked={filter.urgencies.includes(urgency)}
							onChange={(on) => change({ urgencies: flip(filter.urgencies, urgency, on) })}
						>
							{say(`inbox.urgency.${urgency}`)}
						</MenuCheck>
					))}
				</>
			) : null}
			{sources.length > 1 ? (
				<>
					<MenuLine />
					<MenuHeading>{say('inbox.filter.source')}</MenuHeading>
					{sources.map(({ key, title }) => (
						<MenuCheck
							key={key}
							checked={filter.sources.includes(key)}
							onChange={(on) => change({ sources: flip(filter.sources, key, on) })}
						>
							{key === OWN ? say('inbox.fromChats') : <bdi>{title}</bdi>}
						</MenuCheck>
					))}
				</>
			) : null}
		</Menu>
	);
}
