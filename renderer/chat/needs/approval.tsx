import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TrustLabel } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { ExactArguments } from './exact-arguments.tsx';
import type { NeedProps } from './needs-you.tsx';
import { StopButton } from './stop-button.tsx';

/** May this tool run, with exactly this? */
export function Approval({ interrupt, busy, onAnswer }: NeedProps<'approval'>) {
	const say = useSay();
	const { tool, title, args, effect, label, reason, rule } = interrupt.detail;
	return (
		<>
			<header>
				<Icon name="alert" size="m" />
				<h2 className="grow">{say('needs.approval', { tool: title ?? tool.replaceAll('_', ' ') })}</h2>
				<TrustLabel label={label} />
			</header>
			<p>{reason}</p>
			<ExactArguments args={args} />
			{/* The owner's yes is bound to a hash of all this (B3): so all of it is shown. */}
			<p className="meta">{say('needs.approvalRule', { tool, effect: say(`needs.effect.${effect}`), rule })}</p>
			<p className="meta">{say('needs.approvalPlain')}</p>
			<footer>
				<StopButton interrupt={interrupt} busy={busy} onStop={() => onAnswer({ type: 'stop' })} />
				<span className="grow" />
				<Button onClick={() => onAnswer({ type: 'reject' })} disabled={busy}>
					{say('needs.reject')}
				</Button>
				<Button kind="primary" onClick={() => onAnswer({ type: 'approve' })} busy={busy}>
					{say('needs.approve')}
				</Button>
			</footer>
		</>
	);
}
