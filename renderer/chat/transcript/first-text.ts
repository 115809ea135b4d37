import type { Json } from '../../../src/domain/json.ts';

/** The one argument worth a glance: the first text among them. */
export function firstText(args: Json): string {
	if (typeof args === 'string') return args;
	if (args === null || typeof args !== 'object' || Array.isArray(args)) return '';
	const first = Object.values(args).find((value) => typeof value === 'string' && value !== '');
	return typeof first === 'string' ? first : '';
}
