import { useLocation } from 'wouter';
import { BUILTIN_PROVIDER_ID } from '../../src/domain/model.ts';
import { useChoices, useProviders } from '../shell/queries.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';

interface EmptyChatProps {
	suggest: (text: string) => void;
	chooseFiles: () => void;
}

/** A chat before its first message: what to try. Each of these works with what is set up now. */
export function EmptyChat({ suggest, chooseFiles }: EmptyChatProps) {
	const say = useSay();
	const [, navigate] = useLocation();
	const chosen = useChoices().data?.chat;
	const providers = useProviders().data;
	const builtin = !chosen || chosen.providerId === BUILTIN_PROVIDER_ID;
	const remote = !builtin && providers?.find(({ provider }) => provider.id === chosen.providerId)?.local === false;
	return (
		<div className="pane-body start">
			<div className="start-in">
				<h2>{say('start.title')}</h2>
				<p>{remote ? say('start.bodyModel', { model: chosen.modelId }) : say('start.body')}</p>
				<ul aria-label={say('start.try')}>
					{builtin ? (
						<>
							<Try icon="info" title={say('start.help')} why={say('start.helpWhy')} onClick={() => suggest(say('start.help'))} />
							<Try
								icon="search"
								title={say('start.search')}
								why={say('start.searchWhy')}
								onClick={() => suggest(say('start.searchText'))}
							/>
						</>
					) : null}
					<Try icon="clip" title={say('start.file')} why={say('start.fileWhy')} onClick={chooseFiles} />
					{builtin ? (
						<Try icon="cpu" title={say('start.model')} why={say('start.modelWhy')} onClick={() => navigate('/settings/models')} />
					) : null}
				</ul>
			</div>
		</div>
	);
}

function Try({ icon, title, why, onClick }: { icon: IconName; title: string; why: string; onClick: () => void }) {
	return (
		<li>
			<button type="button" className="try" onClick={onClick}>
				<Icon name={icon} />
				<span>
					<b>{title}</b>
					<span className="meta">{why}</span>
				</span>
			</button>
		</li>
	);
}
