import { z } from 'zod';

/** The trust of a piece of text, from most to least trusted (product.md). Labels join to the highest index. */
export const LABELS = ['owner', 'agent', 'workspace', 'approved', 'external'] as const;
export const Label = z.enum(LABELS);
export type Label = z.infer<typeof Label>;

/** The least trusted of the given labels; `owner` when there are none. Commutative, associative, idempotent. */
export function joinLabels(...labels: readonly Label[]): Label {
	let worst = 0;
	for (const label of labels) worst = Math.max(worst, LABELS.indexOf(label));
	return LABELS[worst] ?? 'external';
}

/** Whether text of this label is at most as tainted as `most`. */
export function isWithin(label: Label, most: Label): boolean {
	return LABELS.indexOf(label) <= LABELS.indexOf(most);
}
