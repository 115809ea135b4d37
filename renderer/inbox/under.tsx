import { Link } from 'wouter';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useNow } from '../chat/use-now.ts';
import { useSessions } from '../connection/index.ts';
import { entryPlace } from '../memory/place.ts';
import { useDay } from '../memory/provenance.tsx';
import { runPlace } from '../timeline/place.ts';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { Text, useSay } from '../ui/strings.tsx';
import { useLookName } from './group-heading.tsx';
import { useLook } from './listed.ts';
import { useTime } from './snooze-words.ts';

/** How it stands, what it is marked as, who proposed it and when. */
export function Under({ proposal }: { proposal: Proposal }) {
	const say = useSay();
	const day = useDay();
	const time = useTime();
	const now = useNow();
	const { status, label, provenance, finding, snoozedUntil = 0 } = proposal;
	return (
		<>
			<p className="d-sub">
				{status === 'pending' ? (
					<StateMark state={snoozedUntil > now ? 'scheduled' : 'pending'}>
						{snoozedUntil > now ? say('inbox.snoozedUntil', { time: time(snoozedUntil) }) : say('inbox.status.pending')}
					</StateMark>
				) : null}
				{status === 'approved' ? <StateMark state="done">{say('inbox.status.approved')}</StateMark> : null}
				{status === 'rejected' ? (
					<StateMark state="stale" icon="x">
						{say('inbox.status.rejected')}
					</StateMark>
				) : null}
				<TrustLabel label={label} />
				{finding && finding.urgency !== 'normal' ? <span className="chip still">{say(`inbox.urgency.${finding.urgency}`)}</span> : null}
				<span className="meta">
					{finding ? (
						<FoundBy proposal={proposal} />
					) : (
						<>
							{say('inbox.proposedBy', {
								author: provenance.author,
								date: day(provenance.at, true),
								model: provenance.modelName ?? 'none',
							})}{' '}
							<InChat proposal={proposal} />
						</>
					)}
				</span>
			</p>
			<Decided proposal={proposal} />
		</>
	);
}

/** “Found today, 07:31 in Rail notices by Morning look, qwen3:8b”, with the way to that run. */
function FoundBy({ proposal: { provenance, finding, runId, createdAt } }: { proposal: Proposal }) {
	const say = useSay();
	const nameOf = useLookName();
	const look = useLook(finding?.tickId);
	if (!finding) return null;
	const model = provenance.modelName ?? say('inbox.noModel');
	const linked = (name: string) =>
		runId ? (
			<Link className="lnk" href={runPlace(runId)}>
				{name}
			</Link>
		) : (
			name
		);
	const title = <bdi>{finding.sourceTitle}</bdi>;
	if (finding.task) return <Text id="inbox.resultOf" values={{ task: title, run: linked(say('inbox.resultRun')), model }} />;
	const name = nameOf(look?.slot ?? createdAt, look?.by ?? 'schedule');
	return <Text id="inbox.foundBy" values={{ source: title, look: linked(name), model }} />;
}

function InChat({ proposal: { sessionId } }: { proposal: Proposal }) {
	const say = useSay();
	const chat = useSessions((state) => (sessionId ? state.byId[sessionId] : undefined));
	if (!chat) return null;
	return (
		<Text
			id="inbox.proposedIn"
			values={{
				chat: (
					<Link className="lnk" href={`/chat/${chat.id}`}>
						<bdi>{chat.title || say('chat.untitled')}</bdi>
					</Link>
				),
			}}
		/>
	);
}

/** When it was decided, what came of it, and why not. */
function Decided({ proposal: { status, decidedAt, receipt, rejection, operation } }: { proposal: Proposal }) {
	const say = useSay();
	const day = useDay();
	const time = useTime();
	if (decidedAt === undefined || status === 'pending') return null;
	const entryId = receipt?.outcome === 'written' && operation.kind !== 'forget' ? receipt.entryId : undefined;
	return (
		<p className="d-sub meta">
			<span>{say('inbox.decidedOn', { status, date: day(decidedAt, true) })}</span>
			{entryId && receipt?.outcome === 'written' && status === 'approved' ? (
				<span>
					<Text
						id="inbox.landed"
						values={{
							place: (
								<Link className="lnk" href={entryPlace(entryId)}>
									{receipt.file}
								</Link>
							),
						}}
					/>
				</span>
			) : null}
			{receipt?.outcome === 'reminder_set' ? <span>{say('inbox.landedReminder', { time: time(receipt.dueAt) })}</span> : null}
			{receipt?.outcome === 'noted' ? <span>{say('inbox.landedNoted')}</span> : null}
			{rejection ? <span dir="auto">{say('inbox.rejection', { reason: rejection })}</span> : null}
		</p>
	);
}
