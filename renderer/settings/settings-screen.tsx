import { type ComponentType, useEffect, useState } from 'react';
import { Link, Redirect } from 'wouter';
import { IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { AboutSection } from './about.tsx';
import { BackgroundSection } from './background/section.tsx';
import { SourcesSection } from './background/sources/section.tsx';
import { GeneralSection } from './general.tsx';
import { KeyboardSection } from './keyboard.tsx';
import { MemorySection } from './memory.tsx';
import { ModelsSection } from './models.tsx';
import { OutgoingSection } from './outgoing/section.tsx';
import { PermissionsSection } from './permissions/section.tsx';
import { ProfileSection } from './profile.tsx';
import { SecretsSection } from './secrets.tsx';
import { ServersSection } from './servers/section.tsx';
import { SkillsSection } from './skills/section.tsx';
import { SpendingSection } from './spending/section.tsx';

const SECTIONS = [
	{ id: 'profile', icon: 'user', Section: ProfileSection },
	{ id: 'models', icon: 'cpu', Section: ModelsSection },
	{ id: 'memory', icon: 'memory', Section: MemorySection },
	{ id: 'sources', icon: 'feed', Section: SourcesSection },
	{ id: 'background', icon: 'bolt', Section: BackgroundSection },
	{ id: 'spending', icon: 'gauge', Section: SpendingSection },
	{ id: 'skills', icon: 'bookmark', Section: SkillsSection },
	{ id: 'permissions', icon: 'lock', Section: PermissionsSection },
	{ id: 'outgoing', icon: 'globe', Section: OutgoingSection },
	{ id: 'servers', icon: 'plug', Section: ServersSection },
	{ id: 'secrets', icon: 'key', Section: SecretsSection },
	{ id: 'general', icon: 'settings', Section: GeneralSection },
	{ id: 'keyboard', icon: 'list', Section: KeyboardSection },
	{ id: 'about', icon: 'info', Section: AboutSection },
] as const satisfies readonly { id: string; icon: IconName; Section: ComponentType }[];

export default function SettingsScreen({ section = 'profile' }: { section?: string }) {
	const say = useSay();
	const [listShown, setListShown] = useState(false);
	const current = SECTIONS.find(({ id }) => id === section);
	useEffect(() => {
		if (current) document.title = `${say(`settings.${current.id}`)} · ${say('settings.title')} · ${say('app.name')}`;
	}, [current, say]);
	if (!current) return <Redirect to="/settings/profile" replace />;
	return (
		<main className={listShown ? 'view v-settings show-list' : 'view v-settings'} id="main">
			<section className="pane side" aria-label={say('settings.sections')}>
				<div className="pane-head">
					<h1>{say('settings.title')}</h1>
				</div>
				<nav className="pane-body tree" aria-label={say('settings.sections')}>
					{SECTIONS.map(({ id, icon }) => (
						<Link
							key={id}
							className="row"
							href={`/settings/${id}`}
							aria-current={id === current.id ? 'page' : undefined}
							onClick={() => setListShown(false)}
						>
							<Icon name={icon} />
							<span>{say(`settings.${id}`)}</span>
						</Link>
					))}
				</nav>
			</section>
			<section className="pane" aria-label={say(`settings.${current.id}`)}>
				<div className="pane-head narrow">
					<IconButton className="back" icon="left" label={say('settings.showSections')} onClick={() => setListShown(true)} />
					<h1 className="pane-title">{say('settings.title')}</h1>
				</div>
				{/* The keyboard map has nothing that takes the focus: it is scrolled by keys through the pane. */}
				<div className="pane-body" key={current.id} tabIndex={current.id === 'keyboard' ? 0 : undefined}>
					<div className="set">
						<current.Section />
					</div>
				</div>
			</section>
		</main>
	);
}
