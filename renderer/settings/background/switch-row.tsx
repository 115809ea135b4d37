import type { HeartbeatStatus } from '../../../src/contract/methods/heartbeat.ts';
import { useWhen } from '../../timeline/marks.tsx';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row } from '../row.tsx';
import { lookNow } from './look-now.ts';
import { lookWords } from './look-words.ts';
import { LOOK_BUTTON } from './place.ts';
import { useBackgroundChange } from './queries.ts';

interface SwitchRowProps {
	status: HeartbeatStatus;
	/** As it is set; `status` follows. */
	on: boolean;
	onSwitch: (on: boolean) => void;
}

/** Whether Hearth looks by itself, what it does now, and a look at once. */
export function SwitchRow({ status, on, onSwitch }: SwitchRowProps) {
	const say = useSay();
	const when = useWhen();
	const stop = useBackgroundChange((client, _: undefined) => client.heartbeat.stop());
	const isLooking = status.current !== undefined;
	const words = isLooking
		? say('background.looking')
		: !on
			? say('background.off')
			: status.held !== undefined
				? say('background.onHeld')
				: status.nextAt === undefined
					? say('background.on')
					: say('background.onNext', { at: when(status.nextAt) });
	const { last: look } = status;
	const last =
		!isLooking && look
			? say('background.lastLook', {
					at: when(look.startedAt),
					outcome: say(`background.look.${look.outcome}`),
					words: lookWords(say, look),
				})
			: undefined;
	return (
		<Row
			icon="bolt"
			title={say('background.switch')}
			hint={
				<span role="status">
					{words}
					{last ? <span className="block">{last}</span> : null}
				</span>
			}
		>
			{isLooking ? (
				<Button id={LOOK_BUTTON} size="sm" icon="stop" busy={stop.isPending} onClick={() => stop.mutate(undefined)}>
					{say('background.stopLook')}
				</Button>
			) : (
				<Button id={LOOK_BUTTON} size="sm" onClick={() => void lookNow(say)}>
					{say('background.lookNow')}
				</Button>
			)}
			<Switch label={say('background.switch')} checked={on} onChange={onSwitch} />
		</Row>
	);
}
