import { useState } from 'react';
import { shell } from '../connection/index.ts';
import { useShellInfo } from '../shell/shell-info.ts';
import { Switch } from '../ui/controls.tsx';
import { useSay } from '../ui/strings.tsx';
import { Row } from './row.tsx';

/** Saved only once the system has agreed to it; left out where it can't. */
export function AtLogin({ on, onSave }: { on: boolean; onSave: (on: boolean) => void }) {
	const say = useSay();
	const info = useShellInfo();
	const [isRefused, setRefused] = useState(false);
	if (!info?.canStartAtLogin) return null;
	const change = async (next: boolean): Promise<void> => {
		const taken = (await shell?.setStartAtLogin(next)) ?? false;
		setRefused(!taken);
		if (taken) onSave(next);
	};
	const hint = isRefused ? <span className="field-error">{say('general.atLoginRefused')}</span> : say('general.atLoginHint');
	return (
		<Row title={say('general.atLogin')} hint={<span role="status">{hint}</span>}>
			<Switch label={say('general.atLogin')} checked={on} onChange={(next) => void change(next)} />
		</Row>
	);
}
