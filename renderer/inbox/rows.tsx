import type { Interrupt } from '../../src/domain/run.ts';
import { touchLine } from '../chat/needs/touch-words.ts';
import { firstText } from '../chat/transcript/first-text.ts';
import { useSessions } from '../connection/index.ts';
import { Icon } from '../ui/icon.tsx';
import { TrustLabel } from '../ui/marks.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { focused } from './inbox-ui-store.ts';
import { Ago } from './proposal-words.tsx';
import { useActionPlace } from './use-action-place.ts';

interface ActionRowProps {
	interrupt: Interrupt;
	current: boolean;
	onChoose: () => void;
	onKeyed: (id: string) => void;
}

export function ActionRow({ interrupt, current, onChoose, onKeyed }: ActionRowProps) {
	const say = useSay();
	const { detail, sessionId } = interrupt;
	const session = useSessions((state) => state.byId[sessionId]);
	const place = useActionPlace(interrupt);
	return (
		<li>
			<button
				type="button"
				className="row item"
				data-row-id={interrupt.id}
				aria-current={current || undefined}
				onFocus={() => focused(interrupt.id)}
				onClick={(event) => {
					onChoose();
					// Pressed by a key: what it holds takes the focus.
					if (event.detail === 0) onKeyed(interrupt.id);
				}}
			>
				<span className="top">
					<b className="cut">{actionTitle(say, interrupt)}</b>
					<Ago at={interrupt.createdAt} />
				</span>
				<span className="body" dir="auto">
					{actionText(say, detail)}
				</span>
				<span className="foot">
					<span className="src cut">
						<Icon name={session ? 'chat' : 'timeline'} />
						<span className="cut" dir="auto">
							{place}
						</span>
					</span>
					{detail.kind === 'approval' ? <TrustLabel label={detail.label} /> : null}
				</span>
			</button>
		</li>
	);
}

function actionText(say: Say, detail: Interrupt['detail']): string {
	switch (detail.kind) {
		case 'question':
			return detail.question;
		case 'approval':
			return touchLine(say, detail.touches, detail.tool) ?? firstText(detail.args);
		case 'did_it_happen':
			return firstText(detail.args);
		case 'timer':
		case 'event':
			return detail.note;
		case 'child':
			return detail.task;
	}
}

export function actionTitle(say: Say, { detail }: Interrupt): string {
	switch (detail.kind) {
		case 'approval':
			return say('inbox.action.approval', { tool: detail.title ?? detail.tool.replaceAll('_', ' ') });
		case 'question':
		case 'did_it_happen':
			return say(`inbox.action.${detail.kind}`);
		case 'timer':
		case 'event':
		case 'child':
			return say('needs.waits');
	}
}
