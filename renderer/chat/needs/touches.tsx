import type { Touch } from '../../../src/domain/sink.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { type Say, useSay } from '../../ui/strings.tsx';

/** What a call would touch, whole and never shortened: the command, the address, the file (B3). */
export function Touches({ touches }: { touches: readonly Touch[] }) {
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
							<p>{doing(say, touch)}</p>
							<What touch={touch} />
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
};

function doing(say: Say, touch: Touch): string {
	switch (touch.sink) {
		case 'memory':
		case 'forget':
			return say(`needs.touch.${touch.sink}`);
		case 'skill':
			return say('needs.touch.skill', { name: touch.name });
		case 'file':
			return say(`needs.touch.${touch.access}`);
		case 'shell':
			return say('needs.touch.command', { cwd: touch.cwd });
		case 'network':
			return say(touch.method === 'GET' ? 'needs.touch.fetch' : 'needs.touch.send');
		case 'message':
			return say('needs.touch.message', { via: touch.via });
		case 'server':
			return say(touch.readOnly ? 'needs.touch.serverReads' : 'needs.touch.server', { server: touch.server });
	}
}

function What({ touch }: { touch: Touch }) {
	const text = exact(touch);
	if (text === undefined) return null;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
		<pre className="io well" tabIndex={0}>
			{text}
		</pre>
	);
}

function exact(touch: Touch): string | undefined {
	switch (touch.sink) {
		case 'file':
			return touch.path;
		case 'shell':
			return touch.command;
		case 'network':
			return touch.url;
		case 'message':
			return touch.to.join('\n');
		case 'server':
			return touch.tool;
		default:
			return undefined;
	}
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
