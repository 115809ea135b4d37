import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';

/** Where each screen was left, so that coming back shows the same chat or section. */
function useLastPlace(prefix: string): string {
	const [location] = useLocation();
	const [last, setLast] = useState(prefix);
	useEffect(() => {
		if (location.startsWith(prefix)) setLast(location);
	}, [location, prefix]);
	return last;
}

/** The screens that exist, and no others. */
export function Rail() {
	const say = useSay();
	const [location] = useLocation();
	const chat = useLastPlace('/chat');
	const memory = useLastPlace('/memory');
	const settings = useLastPlace('/settings');
	const current = (prefix: string) => (location.startsWith(prefix) ? 'page' : undefined);
	return (
		<nav className="rail" aria-label={say('shell.main')}>
			<Link className="rail-item" href={chat} aria-current={current('/chat')}>
				<Icon name="chat" />
				<span>{say('shell.chat')}</span>
			</Link>
			<Link className="rail-item" href={memory} aria-current={current('/memory')}>
				<Icon name="memory" />
				<span>{say('shell.memory')}</span>
			</Link>
			<span className="rail-gap" />
			<Link className="rail-item" href={settings} aria-current={current('/settings')}>
				<Icon name="settings" />
				<span>{say('shell.settings')}</span>
			</Link>
		</nav>
	);
}
