/** A name of the disk on one line. */
export function plainName(path: string): string {
	return path.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '�');
}
