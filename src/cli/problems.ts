import type { ZodError } from 'zod';

/** What the parts of the configuration are called where the owner types them. */
const CALLED: Readonly<Record<string, string>> = { baseUrl: 'address', url: 'address' };

/** What is wrong with what the owner typed, a line each: what it is about, unless it is the whole, and the words for it. */
export function problemsOf({ issues }: ZodError): string {
	return issues
		.map(({ path, message }) =>
			path.length > 0 ? `${path.map((part) => CALLED[String(part)] ?? String(part)).join(' ')}: ${message}` : message,
		)
		.join('\n');
}
