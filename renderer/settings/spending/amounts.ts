import { useIntl } from 'react-intl';
import type { Spent } from '../../../src/domain/spending.ts';
import { useSay } from '../../ui/strings.tsx';

type Cost = Pick<Spent, 'tokens' | 'costUsd' | 'unpricedTokens'>;

/** Money and tokens in words: what is not known is said, and is not nothing. */
export function useAmounts() {
	const say = useSay();
	const intl = useIntl();
	// `US$` in every cell of a table would say what the section has said.
	const money = (usd: number): string =>
		intl.formatNumber(usd, {
			style: 'currency',
			currency: 'USD',
			currencyDisplay: 'narrowSymbol',
			minimumFractionDigits: 2,
			maximumFractionDigits: usd > 0 && usd < 0.1 ? 4 : 2,
		});
	return {
		money,
		count: (tokens: number): string => intl.formatNumber(tokens),
		/** For a cell; `?` is what is not known. Undefined where it costs nothing. */
		shortCost: ({ costUsd, unpricedTokens }: Cost): string | undefined => {
			const known = costUsd > 0 ? [money(costUsd)] : [];
			const parts = unpricedTokens > 0 ? [...known, '?'] : known;
			return parts.length === 0 ? undefined : parts.join(' + ');
		},
		/** Undefined where it costs nothing. */
		cost: ({ costUsd, unpricedTokens }: Cost): string | undefined => {
			if (unpricedTokens === 0) return costUsd > 0 ? money(costUsd) : undefined;
			return costUsd > 0 ? say('spending.costPartly', { cost: money(costUsd) }) : say('spending.costUnknown');
		},
	};
}
