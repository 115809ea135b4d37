import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { BudgetChange } from '../../../src/contract/methods/spending.ts';
import { call, useConnection } from '../../connection/index.ts';

/** What was used in the newest days; asked for anew as the meter moves on. */
export function useSpending(days: number) {
	const queries = useQueryClient();
	const work = useConnection((state) => state.work);
	useEffect(() => {
		if (work) void queries.invalidateQueries({ queryKey: ['spending'] });
	}, [queries, work]);
	return useQuery({
		queryKey: ['spending', days],
		queryFn: () => call((client) => client.work.spending({ days }), { repeatable: true }),
		placeholderData: keepPreviousData,
		staleTime: 0,
	});
}

export function useSetBudget() {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (change: BudgetChange) => call((client) => client.work.setBudget(change), { repeatable: true }),
		onSuccess: () => queries.invalidateQueries({ queryKey: ['spending'] }),
	});
}
