import { useLayoutEffect, useRef, useState } from 'react';
import type { RunId } from '../../../src/domain/ids.ts';
import { useToolOutput } from '../../connection/tool-output-store.ts';
import { Button } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';
import { stopCall } from '../turn-actions.ts';

/** Nearer to its end than this, in pixels, the text follows what comes. */
const AT_END = 24;

/**
 * What a command puts out while it runs. It follows the end unless the owner scrolls up. No live region: a screen reader is not to be read a
 * build log; that the command runs is said by its row.
 */
export function LiveOutput({ runId, callId }: { runId: RunId; callId: string }) {
	const say = useSay();
	const output = useToolOutput(runId, callId);
	const [stopping, setStopping] = useState(false);
	const box = useRef<HTMLPreElement>(null);
	const follows = useRef(true);
	const end = output?.end ?? 0;

	// biome-ignore lint/correctness/useExhaustiveDependencies: the effect of each new piece.
	useLayoutEffect(() => {
		const element = box.current;
		if (element && follows.current) element.scrollTop = element.scrollHeight;
	}, [end]);

	const stop = (): void => {
		setStopping(true);
		void stopCall(runId, callId).then((stopped) => setStopping(stopped));
	};

	return (
		<div className="live-output">
			{output ? (
				<section aria-label={say('chat.liveOutput')}>
					{output.cut ? <p className="meta">{say('chat.liveOutputCut')}</p> : null}
					<pre
						ref={box}
						// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
						tabIndex={0}
						dir="auto"
						onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
							follows.current = scrollHeight - scrollTop - clientHeight < AT_END;
						}}
					>
						{output.text}
					</pre>
				</section>
			) : (
				<p className="meta">{say('chat.liveOutputNone')}</p>
			)}
			<Button size="sm" busy={stopping} onClick={stop}>
				{say('chat.stopCommand')}
			</Button>
		</div>
	);
}

/** What a command was given, as the owner would type it, and not as arguments. */
export function CommandGiven({ command, reason, cwd, hosts }: { command: string; reason: string; cwd: string; hosts: readonly string[] }) {
	const say = useSay();
	return (
		<>
			<pre className="io">{command}</pre>
			<p className="meta">{say('chat.commandGiven', { reason, cwd, hosts: hosts.length === 0 ? 'none' : hosts.join(', ') })}</p>
		</>
	);
}
