import type { z } from 'zod';
import type { SourceText } from '../../src/contract/methods/heartbeat.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { markedFlags } from '../ui/flag-pieces.ts';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { useInboxUi } from './inbox-ui-store.ts';
import { kindOf, labelAfter } from './proposal-view.ts';

const EXPLAINED = ['memory_from_outside', 'forget_is_the_owners', 'background_finding'] as const;

/** `texts`: what a finding rests on, where it was read. */
export function WhyHeld({ proposal, texts }: { proposal: Proposal; texts: readonly z.infer<typeof SourceText>[] | undefined }) {
	const say = useSay();
	const { reason, rule, provenance, label, operation } = proposal;
	const known = EXPLAINED.find((each) => each === rule);
	const flagged = flaggedIn(texts ?? []);
	return (
		<section className="sec">
			<h3>{say('inbox.why')}</h3>
			<ul className="why">
				<li>
					<span>
						{reason}{' '}
						{operation.kind === 'drift' || operation.kind === 'skill'
							? say(`inbox.rule.${operation.kind}`)
							: known
								? say(`inbox.rule.${known}`)
								: null}
					</span>
				</li>
				<li className={label === 'external' ? 'marked' : undefined}>
					{label === 'external' ? <Icon name="globe" size="s" /> : null}
					<span>{say('inbox.origin', { label })}</span>
				</li>
				{flagged ? (
					<li className="marked">
						<Icon name="flag" size="s" />
						<span>{say(`inbox.flagged.${flagged}`)}</span>
					</li>
				) : null}
				{provenance.reason && provenance.reason !== reason ? (
					<li dir="auto">{say('inbox.writerReason', { reason: provenance.reason })}</li>
				) : null}
				<li className="meta">{say('inbox.rule', { rule })}</li>
			</ul>
		</section>
	);
}

/** Whether what was flagged is among what the proposal quotes. Undefined where nothing was. */
function flaggedIn(texts: readonly z.infer<typeof SourceText>[]): 'quoted' | 'beside' | undefined {
	const flags = texts.flatMap(({ inspection, quotes }) => markedFlags(inspection).map((flag) => ({ flag, quotes })));
	if (flags.length === 0) return undefined;
	const quoted = flags.some(({ flag, quotes }) => quotes.some(({ start, end }) => flag.start < end && flag.end > start));
	return quoted ? 'quoted' : 'beside';
}

/** What a yes would do, with what the owner chose; and what a no does. */
export function Does({ proposal, place }: { proposal: Proposal; place: string }) {
	const say = useSay();
	const chosen = useInboxUi((state) => state.choices[proposal.id]);
	const kind = kindOf(proposal.operation);
	const { kind: what } = proposal.operation;
	const label = say(`label.${labelAfter(proposal)}`);
	const target = chosen?.target;
	const landing = target
		? target.headingPath.length > 0
			? say('inbox.target', { file: target.file, heading: target.headingPath.join(' › ') })
			: target.file
		: place;
	const does = chosen?.replaces ? 'inbox.does.replaces' : (`inbox.does.${kind}` as const);
	const rejecting = what === 'drift' || what === 'skill' ? (`inbox.rejecting.${what}` as const) : 'inbox.rejecting';
	return (
		<section className="sec">
			<h3>{say('inbox.does')}</h3>
			<ul className="why">
				<li>{say(does, { place: landing, label })}</li>
				{proposal.finding?.sourceId ? (
					<li>{say('inbox.rejecting.finding', { source: proposal.finding.sourceTitle })}</li>
				) : (
					<li>{say(rejecting, { place })}</li>
				)}
			</ul>
		</section>
	);
}
