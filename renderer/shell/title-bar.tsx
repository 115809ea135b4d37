import { useState } from 'react';
import { useLocation } from 'wouter';
import { shell, useConnection } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Menu, MenuChoice, MenuHeading, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { BackgroundBar } from './background-bar.tsx';
import { runCommand } from './commands.ts';
import { PauseAll } from './pause-all.tsx';
import { useProfiles } from './queries.ts';
import { useShellInfo } from './shell-info.ts';

function WindowControls() {
	const say = useSay();
	const info = useShellInfo();
	if (!info?.customTitleBar || info.platform === 'darwin') return null;
	const controls = [
		{ action: 'minimise', icon: 'min', label: say('shell.minimise') },
		{ action: 'maximise', icon: 'max', label: say('shell.maximise') },
		{ action: 'close', icon: 'x', label: say('shell.close') },
	] as const;
	return (
		<span className="winctl">
			{controls.map(({ action, icon, label }) => (
				<button key={action} type="button" className="btn ghost icon" aria-label={label} onClick={() => void shell?.window(action)}>
					<Icon name={icon} size="s" />
				</button>
			))}
		</span>
	);
}

/** Leaves room for the system's own buttons, which a Mac draws over the page. */
function useBarClass(): string {
	const info = useShellInfo();
	return info?.customTitleBar && info.platform === 'darwin' ? 'titlebar mac' : 'titlebar';
}

/** The bar of screens without the frame. */
export function BareTitleBar() {
	return (
		<header className={useBarClass()}>
			<span />
			<span />
			<div className="titlebar-end">
				<WindowControls />
			</div>
		</header>
	);
}

function ProfileMenu() {
	const say = useSay();
	const [, navigate] = useLocation();
	const current = useConnection((state) => state.hello?.profile);
	const profiles = useProfiles().data ?? [];
	const [asked, setAsked] = useState<string>();
	if (current === undefined) {
		return (
			<span className="profile">
				<Icon name="flame" className="mark" />
				<span>{say('app.name')}</span>
			</span>
		);
	}
	const trigger = (
		<button type="button" className="profile" aria-label={say('shell.profile', { name: current })}>
			<Icon name="flame" className="mark" />
			<span className="cut">{current}</span>
			<Icon name="down" size="s" />
		</button>
	);
	const close = (): void => setAsked(undefined);
	return (
		<>
			<Menu trigger={trigger} align="start">
				<MenuHeading>{say('shell.profiles')}</MenuHeading>
				<MenuChoice
					value={current}
					onChange={(name) => (name === current ? undefined : setAsked(name))}
					options={profiles.map((profile) => ({ value: profile.name, label: profile.name }))}
				/>
				<MenuLine />
				<MenuItem icon="settings" onClick={() => navigate('/settings/profile')}>
					{say('shell.manageProfiles')}
				</MenuItem>
			</Menu>
			<SwitchProfileDialog name={asked} onClose={close} />
		</>
	);
}

/** Asks before Hearth starts again with another profile; in a browser it says how to open that one. */
export function SwitchProfileDialog({ name, onClose }: { name: string | undefined; onClose: () => void }) {
	const say = useSay();
	if (name === undefined) return null;
	const footer = shell ? (
		<>
			<Button onClick={onClose}>{say('common.cancel')}</Button>
			<Button kind="primary" onClick={() => void shell?.switchProfile(name)}>
				{say('shell.switch')}
			</Button>
		</>
	) : (
		<Button onClick={onClose}>{say('common.close')}</Button>
	);
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('shell.switchTitle', { name })}
			lead={shell ? say('shell.switchBody') : say('shell.switchBrowser', { name })}
			footer={footer}
		/>
	);
}

export function TitleBar() {
	const say = useSay();
	return (
		<header className={useBarClass()}>
			<ProfileMenu />
			<button type="button" className="omni" onClick={() => runCommand('palette')}>
				<Icon name="search" size="s" />
				<span>{say('shell.omni')}</span>
				<Kbd keys="Mod+K" />
			</button>
			<div className="titlebar-end">
				<BackgroundBar />
				<PauseAll />
				<WindowControls />
			</div>
		</header>
	);
}
