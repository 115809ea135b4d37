import { useLocation } from 'wouter';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';

/** Why a workflow can't be started now although its file is right: some of it is done by a model. `onLeave`: it leads elsewhere. */
export function Hindrance({ error, onLeave }: { error: ErrorShape; onLeave?: () => void }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const choose = (): void => {
		onLeave?.();
		navigate('/settings/models');
	};
	return <ErrorNote error={error} actions={<Button onClick={choose}>{say('workflow.chooseModel')}</Button>} />;
}
