import { useIntl } from 'react-intl';
import type { Spent } from '../../../src/domain/spending.ts';
import { useSay } from '../../ui/strings.tsx';

type Cost = Pick<Spent, 'tokens' | 'costUsd' | 'unpricedTokens'>;

/** Money and tokens in words: what is not known is said, and is not nothing. */
export function useAmounts() {
	const say = useSay();
	const intl = useIntl();
	const money = (usd: number): string =>
		intl.formatNumber(usd, {
			style: 'currency',
			currency: 'USD',
			minimumFractionDigits: 2,
			maximumFractionDigits: usd > 0 && usd < 0.1 ? 4 : 2,
		});
	return {
		money,
		count: (tokens: number): string => intl.formatNumber(tokens),
		/** Undefined where it costs nothing. */
		cost: ({ costUsd, unpricedTokens }: Cost): string | undefined => {
			if (unpricedTokens === 0) return costUsd > 0 ? money(costUsd) : undefined;
			return costUsd > 0 ? say('spending.costPartly', { cost: money(costUsd) }) : say('spending.costUnknown');
		},
	};
}
