import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * What the runtime said last. Nothing goes stale by time: live events say when to ask again. The library would let a first question under way stand
 * for the new one, though its answer may be from before the change, and then nothing would ever ask again: such a question is asked once more.
 */
export class LiveQueries extends QueryClient {
	override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
		const first = this.getQueryCache()
			.findAll({ ...filters, fetchStatus: 'fetching' })
			.filter(({ state }) => state.data === undefined);
		// The question under way, not another one.
		const answers = first.map((query) =>
			query.fetch().then(() => super.invalidateQueries({ queryKey: query.queryKey, exact: true }, options)),
		);
		await super.invalidateQueries(filters, options);
		// Who asked is told of an error by the query itself.
		await Promise.allSettled(answers);
	}
}
