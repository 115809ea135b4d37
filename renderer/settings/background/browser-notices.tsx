import { useState } from 'react';
import { shell } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row } from '../row.tsx';

/** In a browser the owner allows notifications there, too; the desktop app has the system's own. */
export function BrowserNotices() {
	const say = useSay();
	const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : undefined));
	if (shell || permission === undefined || permission === 'granted') return null;
	return (
		<Row title={say('background.browserNotices')} hint={say('background.browserNoticesHint')}>
			{permission === 'denied' ? (
				<StateMark state="stale">{say('background.noticesBlocked')}</StateMark>
			) : (
				<Button onClick={() => void Notification.requestPermission().then(setPermission)}>{say('background.allowNotices')}</Button>
			)}
		</Row>
	);
}
