import { z } from 'zod';

/** What a detector found. Hints, never the only defence. */
export const FlagKind = z.enum([
	'hidden_text',
	'bidi_control',
	'homoglyph',
	'instruction',
	'authority_claim',
	'approval_claim',
	'consensus_cue',
	'encoded',
	'exfiltration',
	'secret',
	'personal_data',
	'classifier',
]);
export type FlagKind = z.infer<typeof FlagKind>;

/** From UTF-16 offset `start` (included) to `end` (excluded) of the text that was inspected. */
export const Flag = z.object({ kind: FlagKind, start: z.number().int().nonnegative(), end: z.number().int().nonnegative() });
export type Flag = z.infer<typeof Flag>;

export const RISKS = ['none', 'low', 'medium', 'high'] as const;
export const Risk = z.enum(RISKS);
export type Risk = z.infer<typeof Risk>;

export const Inspection = z.object({
	risk: Risk,
	flags: z.array(Flag).max(200),
	/** Of the classifier, from 0 (harmless) to 1; absent where it did not run. */
	score: z.number().min(0).max(1).optional(),
});
export type Inspection = z.infer<typeof Inspection>;

export function worstRisk(...risks: readonly Risk[]): Risk {
	return RISKS[Math.max(0, ...risks.map((risk) => RISKS.indexOf(risk)))] ?? 'high';
}
