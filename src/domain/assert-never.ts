/** Ends a switch over a discriminated union: a new variant fails to compile here. */
export function assertNever(value: never): never {
	throw new Error(`unhandled variant: ${JSON.stringify(value)}`);
}
