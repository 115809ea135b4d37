import type { NoticePart } from '../../../src/domain/message.ts';
import { Icon } from '../../ui/icon.tsx';
import { useSay } from '../../ui/strings.tsx';

/** What each sentence needs; a value that an older run did not record stays empty. */
const NEEDED = { count: 0, name: '', model: '', fallback: '', tool: '', limit: 0, percent: 0, of: 'chat', what: '', step: 0 };

/** The reply before said it at length; this one says it in its grey line. */
export function isQuiet(notice: NoticePart): boolean {
	return notice.code === 'history_trimmed' && notice.values.again !== undefined;
}

export function Notice({ notice }: { notice: NoticePart }) {
	const say = useSay();
	return (
		<p className="notice">
			<Icon name="info" size="s" />
			<span>{say(`chat.notice.${notice.code}`, { ...NEEDED, ...notice.values })}</span>
		</p>
	);
}
