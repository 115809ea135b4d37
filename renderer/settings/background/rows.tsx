import { Link } from 'wouter';
import type { HeartbeatStatus } from '../../../src/contract/methods/heartbeat.ts';
import { useSources } from '../../shell/queries.ts';
import { StateMark } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row } from '../row.tsx';
import { SOURCES } from './place.ts';

/** How many sources there are, and whether one needs the owner; they have a section of their own. */
export function SourcesRow() {
	const say = useSay();
	const sources = useSources().data?.sources ?? [];
	const need = sources.filter(({ health, paused }) => health.kind === 'failed' && !paused).length;
	return (
		<Row title={say('background.sourcesCount', { count: sources.length })} hint={say('background.sourcesHint')}>
			{need > 0 ? <StateMark state="failed">{say('background.sourcesNeed', { count: need })}</StateMark> : null}
			<Link className="btn" href={SOURCES}>
				{say('background.sourcesShow')}
			</Link>
		</Row>
	);
}

/** What looks. The choice stands with those for other work. */
export function ModelRow({ model: { name, builtIn } }: { model: HeartbeatStatus['model'] }) {
	const say = useSay();
	return (
		<Row title={say('background.model')} hint={say(builtIn ? 'background.modelBuiltIn' : 'background.modelHint')}>
			<span dir="auto">{name}</span>
			<Link className="btn" href="/settings/models">
				{say('background.modelChange')}
			</Link>
		</Row>
	);
}
