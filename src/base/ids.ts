import { v7 } from 'uuid';

/** A new UUID version 7 as text. Unique; roughly in order of creation, but nothing may rely on that order (dur-6). */
export function newId<T extends string>(): T {
	return v7() as T;
}
