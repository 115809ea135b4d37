import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { useConnection, useSessions } from '../connection/index.ts';
import { usePalette } from '../palette/palette-store.ts';
import { useSay } from '../ui/strings.tsx';
import { Banners } from './banners.tsx';
import { useGlobalCommands } from './global-commands.ts';
import { useNotifications } from './notifications.ts';
import { useInvalidation, useThemeSetting } from './queries.ts';
import { Rail } from './rail.tsx';
import { TitleBar } from './title-bar.tsx';

const loadPalette = () => import('../palette/palette.tsx');
const Palette = lazy(loadPalette);

/** The window's title follows what is shown: the chat's own title, else the screen's name. */
function useWindowTitle(): void {
	const say = useSay();
	const [location] = useLocation();
	const session = location.startsWith('/chat/') ? (location.split('/')[2] ?? '') : '';
	const title = useSessions((state) => state.byId[session]?.title);
	useEffect(() => {
		const screen = location.startsWith('/settings')
			? say('shell.settings')
			: location.startsWith('/inbox')
				? say('shell.inbox')
				: location.startsWith('/memory')
					? say('shell.memory')
					: location.startsWith('/tasks')
						? say('shell.tasks')
						: location.startsWith('/timeline')
							? say('shell.timeline')
							: title || say('shell.chat');
		document.title = `${screen} · ${say('app.name')}`;
	}, [location, say, title]);
}

/** Title bar, rail, banners and the screen between them. */
export function Frame({ children }: { children: ReactNode }) {
	const say = useSay();
	const online = useConnection((state) => state.hello !== null);
	const palette = usePalette((state) => state.mode);
	useGlobalCommands();
	useNotifications();
	useInvalidation();
	useThemeSetting();
	useWindowTitle();
	useEffect(() => {
		// It is fetched while nothing else is to do: who presses its keys types on at once.
		const idle = requestIdleCallback(() => void loadPalette());
		return () => cancelIdleCallback(idle);
	}, []);
	return (
		<div className="app" data-online={online}>
			<button type="button" className="skip" onClick={skipToMain}>
				{say('shell.skip')}
			</button>
			<TitleBar />
			<Rail />
			<Banners />
			{children}
			{palette ? (
				<Suspense fallback={null}>
					<Palette />
				</Suspense>
			) : null}
		</div>
	);
}

/** A button, not a link: the address after `#` belongs to the router. */
function skipToMain(): void {
	const main = document.getElementById('main');
	main?.setAttribute('tabindex', '-1');
	main?.focus();
}
