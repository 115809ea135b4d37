import type { ReactNode } from 'react';
import type { Flag } from '../../../src/domain/inspection.ts';
import type { Json } from '../../../src/domain/json.ts';
import { useSay } from '../../ui/strings.tsx';
import { type Given, givenOf } from './given.ts';
import { Block, GivenParts } from './given-parts.tsx';
import { prettyFlags } from './pretty-flags.ts';

const NOTHING: readonly never[] = [];

interface ExactArgumentsProps {
	args: Json;
	/** Of `args` as JSON in one line. */
	flags?: readonly Flag[];
	/** As people read it, where it was worked out already. */
	given?: Given | undefined;
	/** Its text leaves as a message: shown as such, whole. */
	isMessage?: boolean;
	/** What else belongs to the tool's own words. */
	children?: ReactNode;
}

/** All of what a tool is given, never shortened: this is what the owner's word is bound to (B3). As people read it, and as the tool gets it. */
export function ExactArguments({
	args,
	flags = NOTHING,
	given = givenOf(args, flags, NOTHING),
	isMessage = false,
	children,
}: ExactArgumentsProps) {
	const say = useSay();
	const text = typeof args === 'string' ? args : JSON.stringify(args, null, 2);
	const raw = <Block text={text} flags={typeof args === 'string' ? NOTHING : prettyFlags(JSON.stringify(args), text, flags)} />;
	return (
		<section className="exact" aria-label={say('needs.arguments')}>
			{given ? <GivenParts parts={given.parts} isMessage={isMessage} /> : <p className="part-name">{say('needs.arguments')}</p>}
			{given ? null : raw}
			{given || children ? (
				<details className="raw" open={given?.elsewhere}>
					<summary>{say('needs.raw')}</summary>
					{given ? raw : null}
					{children}
				</details>
			) : null}
		</section>
	);
}
