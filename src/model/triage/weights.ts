import type { Parts } from './match.ts';

export type Weights = Readonly<Record<keyof Parts, number>>;

/** Learnt by `node bench/train-triage.ts` from `bench/triage/tuning*`. */
export const WEIGHTS: { readonly withMeaning: Weights; readonly wordsAlone: Weights } = {
	withMeaning: {
		meaning: 1.78,
		subjectMeaning: 0.76,
		subjectWords: 0.93,
		otherSubject: -1.61,
		hasSubject: -0.16,
		hasNames: 0.91,
		namesMissing: -3.5,
		kindMissing: -2.25,
		kindTold: 1.34,
		kindToldAlone: 0.65,
		onlyKind: -0.31,
		always: -1.19,
	},
	wordsAlone: {
		meaning: 0,
		subjectMeaning: 0,
		subjectWords: 1.26,
		otherSubject: -1.5,
		hasSubject: -0.02,
		hasNames: 0.96,
		namesMissing: -3.5,
		kindMissing: -2.49,
		kindTold: 1.56,
		kindToldAlone: 0.57,
		onlyKind: -0.46,
		always: -0.59,
	},
};
