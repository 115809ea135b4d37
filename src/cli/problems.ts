import type { ZodError } from 'zod';

/** What is wrong with what the owner typed, a line each: what it is about, unless it is the whole, and the words for it. */
export function problemsOf({ issues }: ZodError): string {
	return issues.map(({ path, message }) => (path.length > 0 ? `${path.join(' ')}: ${message}` : message)).join('\n');
}
