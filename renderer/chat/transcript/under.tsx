import { useIntl } from 'react-intl';
import { useLocation } from 'wouter';
import { type Message, messageText } from '../../../src/domain/message.ts';
import { BUILTIN_PROVIDER_ID } from '../../../src/domain/model.ts';
import { useProviders } from '../../shell/queries.ts';
import { runPlace } from '../../timeline/place.ts';
import { IconButton } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';
import { copyText } from '../copy.ts';
import { UsedMemories } from '../memory/used-memories.tsx';
import { branchSession } from '../session-actions.ts';
import { answerAgain } from '../turn-actions.ts';
import { isQuiet } from './notice.tsx';
import { Versions } from './versions.tsx';

/** The grey line under a reply: who wrote it, what it cost, and what can be done with it. */
export function Under({ message }: { message: Message }) {
	const say = useSay();
	const intl = useIntl();
	const [, navigate] = useLocation();
	const { usage } = message;
	const branch = async (): Promise<void> => {
		const session = await branchSession(message.id);
		if (session) navigate(`/chat/${session.id}`);
	};
	return (
		<div className="under">
			<Versions message={message} />
			<ModelName message={message} />
			{usage && usage.inputTokens + usage.outputTokens > 0 ? (
				<span className="num">{say('chat.tokens', { input: usage.inputTokens, output: usage.outputTokens })}</span>
			) : null}
			{usage?.costUsd === undefined ? null : (
				<span className="num" title={say('chat.costTitle')}>
					{intl.formatNumber(usage.costUsd, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumSignificantDigits: 3 })}
				</span>
			)}
			<UsedMemories message={message} />
			<LeftOut message={message} />
			<span className="acts">
				<IconButton icon="copy" size="sm" label={say('chat.copy')} onClick={() => copyText(messageText(message))} />
				<IconButton icon="redo" size="sm" label={say('chat.again')} onClick={() => void answerAgain(message.id)} />
				{message.runId === null ? null : (
					<IconButton
						icon="timeline"
						size="sm"
						label={say('timeline.showInTimeline')}
						onClick={() => message.runId && navigate(runPlace(message.runId))}
					/>
				)}
				<IconButton icon="fork" size="sm" label={say('chat.branch')} onClick={() => void branch()} />
			</span>
		</div>
	);
}

/** Where the start of the chat no longer fits: at length in the first such reply, here in those after it. */
function LeftOut({ message }: { message: Message }) {
	const say = useSay();
	const notice = message.parts.findLast((part) => part.type === 'notice' && isQuiet(part));
	if (notice?.type !== 'notice') return null;
	const count = Number(notice.values.count);
	return <span title={say('chat.notice.history_trimmed', { count })}>{say('chat.leftOut', { count })}</span>;
}

function ModelName({ message }: { message: Message }) {
	const say = useSay();
	const providers = useProviders().data;
	const { model } = message;
	if (!model) return null;
	if (model.providerId === BUILTIN_PROVIDER_ID) return <span>{say('chat.modelBuiltin')}</span>;
	const name = message.modelName ?? model.modelId;
	const status = providers?.find(({ provider }) => provider.id === model.providerId);
	if (status?.local) return <span className="num">{say('chat.modelLocal', { model: name })}</span>;
	return <span className="num">{say('chat.modelRemote', { model: name, provider: status?.provider.name ?? model.providerId })}</span>;
}
