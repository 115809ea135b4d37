import { z } from 'zod';

/** The trust of a piece of text, from most to least trusted. Labels join to the highest index. */
export const LABELS = ['owner', 'agent', 'workspace', 'approved', 'external'] as const;
export const Label = z.enum(LABELS);
export type Label = z.infer<typeof Label>;

/**
 * The least trusted of the given labels; `owner` when there are none. Commutative, associative, idempotent. `workspace` and `approved`
 * together count as `external`: each is the stricter one at some sink (B2, B4), and the higher of the two would forget that.
 */
export function joinLabels(...labels: readonly Label[]): Label {
	if (labels.includes('workspace') && labels.includes('approved')) return 'external';
	let worst = 0;
	for (const label of labels) worst = Math.max(worst, LABELS.indexOf(label));
	return LABELS[worst] ?? 'external';
}
