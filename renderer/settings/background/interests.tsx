import { useSay } from '../../ui/strings.tsx';
import { EditHeartbeat } from './edit-heartbeat.tsx';

const SHOWN = 30;

/** HEARTBEAT.md as it is read: one interest a line. */
export function Interests({ interests }: { interests: readonly string[] }) {
	const say = useSay();
	const rest = interests.length - SHOWN;
	return (
		<>
			<h3>
				{say('background.interests')}
				<span className="h-acts">
					<EditHeartbeat />
				</span>
			</h3>
			<p className="meta">{say(interests.length === 0 ? 'background.interestsNone' : 'background.interestsLead')}</p>
			{interests.length > 0 ? (
				<ul className="tbl interests">
					{[...new Set(interests)].slice(0, SHOWN).map((interest) => (
						<li key={interest} dir="auto">
							{interest}
						</li>
					))}
					{rest > 0 ? <li className="meta">{say('background.interestsMore', { count: rest })}</li> : null}
				</ul>
			) : null}
		</>
	);
}
