import type { Parts } from './match.ts';

export type Weights = Readonly<Record<keyof Parts, number>>;

/** Made by `node bench/train-triage.ts` from `bench/triage/tuning*`. */
export const WEIGHTS: { readonly withMeaning: Weights; readonly wordsAlone: Weights } = {
	withMeaning: {
		meaning: 1.65,
		subjectMeaning: 0.58,
		subjectWords: 0.88,
		otherSubject: -1.79,
		hasSubject: -0.31,
		hasNames: 0.32,
		namesMissing: -3.5,
		kindMissing: -2.75,
		kindTold: 2.05,
		kindToldAlone: 0.79,
		onlyKind: -0.45,
		always: -0.96,
	},
	wordsAlone: {
		meaning: 0,
		subjectMeaning: 0,
		subjectWords: 1.14,
		otherSubject: -1.52,
		hasSubject: -0.2,
		hasNames: 0.37,
		namesMissing: -3.5,
		kindMissing: -2.97,
		kindTold: 2.41,
		kindToldAlone: 0.65,
		onlyKind: -0.62,
		always: -0.61,
	},
};
