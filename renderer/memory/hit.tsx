import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import { en, type StringId } from '../../src/contract/strings/index.ts';
import type { MemoryEntry, MemoryHit } from '../../src/domain/memory.ts';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { filePlace } from './place.ts';

/** Where a found entry stands: file, heading, lines. */
export function HitPlace({ entry }: { entry: MemoryEntry }) {
	const say = useSay();
	return (
		<p className="hit-place meta">
			<Link className="lnk" href={filePlace(entry.file, entry.headingPath)}>
				<bdi>{[entry.file, ...entry.headingPath].join(' › ')}</bdi>
			</Link>
			<span>
				{entry.lineEnd === entry.lineStart
					? say('memory.hitLine', { line: entry.lineStart })
					: say('memory.hitLines', { from: entry.lineStart, to: entry.lineEnd })}
			</span>
		</p>
	);
}

/** What made up the score, on demand (M5). */
export function HitScore({ hit }: { hit: MemoryHit }) {
	const say = useSay();
	const intl = useIntl();
	const [open, setOpen] = useState(false);
	const number = (value: number): string => intl.formatNumber(value, { maximumSignificantDigits: 3 });
	return (
		<div className="hit-score">
			<button type="button" className="fold meta" aria-expanded={open} onClick={() => setOpen(!open)}>
				{say('memory.score', { score: number(hit.score) })}
				<Icon name={open ? 'up' : 'down'} size="s" />
			</button>
			{open ? (
				<table className="score-parts">
					<caption className="vh">{say('memory.scoreOf', { score: number(hit.score) })}</caption>
					<thead className="vh">
						<tr>
							<th scope="col">{say('memory.scorePart')}</th>
							<th scope="col">{say('memory.scoreValue')}</th>
						</tr>
					</thead>
					<tbody>
						{Object.entries(hit.parts).map(([part, value]) => (
							<tr key={part}>
								<th scope="row">{partName(say, part)}</th>
								<td className="num">{number(value)}</td>
							</tr>
						))}
					</tbody>
				</table>
			) : null}
		</div>
	);
}

/** A part that the catalogue has no words for is shown by its own name. */
function partName(say: ReturnType<typeof useSay>, part: string): string {
	const id = `memory.part.${part}`;
	return id in en ? say(id as StringId) : part;
}
