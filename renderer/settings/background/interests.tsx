import type { HeartbeatStatus } from '../../../src/contract/methods/heartbeat.ts';
import { useSay } from '../../ui/strings.tsx';
import { EditHeartbeat } from './edit-heartbeat.tsx';

const SHOWN = 30;

/** HEARTBEAT.md as it is read: one interest a line. */
export function Interests({ interests, file }: Pick<HeartbeatStatus, 'interests' | 'file'>) {
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
			<p className="meta break">{say(interests.length === 0 ? 'background.interestsNone' : 'background.interestsLead', { file })}</p>
			{interests.length > 0 ? (
				<ul className="tbl interests">
					{[...new Map(interests.map((interest) => [interest.text, interest])).values()].slice(0, SHOWN).map(({ text, leavesOut }) => (
						<li key={text} dir="auto">
							{leavesOut ? <span className="left-out">{say('background.leftOut')}</span> : null}
							{text}
						</li>
					))}
					{rest > 0 ? <li className="meta">{say('background.interestsMore', { count: rest })}</li> : null}
				</ul>
			) : null}
		</>
	);
}
