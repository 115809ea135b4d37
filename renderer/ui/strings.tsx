import { type ReactNode, useCallback } from 'react';
import { FormattedMessage, IntlProvider, useIntl } from 'react-intl';
import { en, LOCALE, type StringId, type StringValues } from '../../src/contract/strings/index.ts';

export type { StringId } from '../../src/contract/strings/index.ts';
export type Say = (id: StringId, values?: StringValues) => string;

/** Dates and numbers the way the owner's own kind of English writes them: 29 November, 17:43. */
const DATES = navigator.language.startsWith(LOCALE) ? navigator.language : LOCALE;

export function StringsProvider({ children }: { children: ReactNode }) {
	return (
		<IntlProvider locale={DATES} defaultLocale={LOCALE} messages={en}>
			{children}
		</IntlProvider>
	);
}

/** The catalogue's text for an id, for attributes and plain text. */
export function useSay(): Say {
	const intl = useIntl();
	return useCallback((id, values) => intl.formatMessage({ id }, values), [intl]);
}

/** A text with markup in its values or tags: `<Text id="x" values={{ code: (words) => <code>{words}</code> }} />`. */
export function Text({ id, values }: { id: StringId; values?: Record<string, ReactNode | ((words: ReactNode[]) => ReactNode)> }) {
	return <FormattedMessage id={id} values={values as Record<string, ReactNode>} />;
}

/** A date of another year names it. */
export function yearOf(at: number): { year?: 'numeric' } {
	return new Date(at).getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' };
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Bytes as a person reads them, in powers of 1000. */
export function formatBytes(say: Say, bytes: number): string {
	let value = bytes;
	let unit = 0;
	while (value >= 1000 && unit < UNITS.length - 1) {
		value /= 1000;
		unit += 1;
	}
	return say('common.bytes', { value, unit: UNITS[unit] ?? 'B' });
}
