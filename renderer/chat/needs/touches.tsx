import type { Flag } from '../../../src/domain/inspection.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Block } from './given-parts.tsx';
import { exactly, touchWords } from './touch-words.ts';

interface TouchesProps {
	tool: string;
	touches: readonly Touch[];
	/** What is flagged in what they show, by it. */
	flagged: ReadonlyMap<string, readonly Flag[]>;
}

/** What a call would touch, whole and never shortened: the command, the address, the file (B3). */
export function Touches({ tool, touches, flagged }: TouchesProps) {
	const say = useSay();
	if (touches.length === 0) return null;
	return (
		<section aria-label={say('needs.touches')}>
			<p className="part-name">{say('needs.touches')}</p>
			<ul className="touches">
				{touches.map((touch) => (
					<li key={JSON.stringify(touch)}>
						<Icon name={ICONS[touch.sink]} />
						<div className="grow">
							<p>{touchWords(say, touch, tool)}</p>
							<What text={exactly(touch)} flagged={flagged} />
							<Notes touch={touch} />
						</div>
					</li>
				))}
			</ul>
		</section>
	);
}

const ICONS: Record<Touch['sink'], IconName> = {
	memory: 'memory',
	forget: 'trash',
	skill: 'bookmark',
	file: 'file',
	shell: 'terminal',
	network: 'globe',
	message: 'send',
	server: 'plug',
	task: 'tasks',
};

function What({ text, flagged }: { text: string | undefined; flagged: TouchesProps['flagged'] }) {
	// A webhook's message names nobody.
	if (text === undefined || text === '') return null;
	return <Block text={text} flags={flagged.get(text) ?? []} />;
}

function Notes({ touch }: { touch: Touch }) {
	const say = useSay();
	if (touch.sink === 'file' && touch.root === undefined) return <StateMark state="alert">{say('needs.touch.elsewhere')}</StateMark>;
	if (touch.sink !== 'shell') return null;
	if (!touch.sandboxed) return <StateMark state="alert">{say('needs.touch.unsandboxed')}</StateMark>;
	const { hosts } = touch;
	return (
		<p className="meta">
			{hosts.length === 0 ? say('needs.touch.sandboxed') : say('needs.touch.sandboxedHosts', { hosts: hosts.join(', ') })}
		</p>
	);
}
