import { useId, useState } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';
import { ExactArguments } from './exact-arguments.tsx';
import type { NeedProps } from './needs-you.tsx';
import { StopButton } from './stop-button.tsx';

/** A tool with effects was under way when the process died: only the owner can say whether it took effect (R2). */
export function DidItHappen({ interrupt, busy, onAnswer }: NeedProps<'did_it_happen'>) {
	const say = useSay();
	const intl = useIntl();
	const id = useId();
	const [telling, setTelling] = useState(false);
	const [result, setResult] = useState('');
	const { tool, title, args, startedAt, found } = interrupt.detail;
	return (
		<>
			<header>
				<Icon name="alert" size="m" />
				<h2>{say('needs.didIt')}</h2>
			</header>
			<p>
				{say('needs.didItBody', {
					tool: title ?? tool.replaceAll('_', ' '),
					when: intl.formatDate(startedAt, { dateStyle: 'medium', timeStyle: 'medium' }),
				})}
			</p>
			<ExactArguments args={args} />
			{found === undefined ? null : <p dir="auto">{say('needs.didItFound', { found })}</p>}
			{telling ? (
				<>
					<label htmlFor={id}>{say('needs.happenedResult')}</label>
					<textarea
						id={id}
						className="field area"
						rows={3}
						dir="auto"
						maxLength={100_000}
						value={result}
						onChange={(event) => setResult(event.target.value)}
					/>
					<p className="meta">{say('needs.happenedHint')}</p>
				</>
			) : null}
			<footer>
				<StopButton interrupt={interrupt} busy={busy} onStop={() => onAnswer({ type: 'stop' })} />
				<span className="grow" />
				{telling ? (
					<>
						<Button onClick={() => setTelling(false)} disabled={busy}>
							{say('common.cancel')}
						</Button>
						<Button kind="primary" busy={busy} onClick={() => onAnswer({ type: 'happened', result })}>
							{say('needs.happenedSave')}
						</Button>
					</>
				) : (
					<>
						<Button onClick={() => onAnswer({ type: 'skip' })} disabled={busy}>
							{say('needs.skip')}
						</Button>
						<Button onClick={() => onAnswer({ type: 'run_again' })} disabled={busy}>
							{say('needs.runAgain')}
						</Button>
						<Button onClick={() => setTelling(true)} disabled={busy}>
							{say('needs.happened')}
						</Button>
					</>
				)}
			</footer>
		</>
	);
}
