/** One plain mail address: nothing that a mail program would take for another recipient, a subject, a body or a header. */
const MAIL = /^mailto:[^\s@?#,;:&%<>"'`|\\/]+@[^\s@?#,;:&%<>"'`|\\/]+$/i;
/** Longest one, in UTF-16 units (RFC 5321 has 254 characters for an address). */
const LONGEST = 300;

/**
 * What opens for a link to a mail address when the owner agrees, exactly as they are to be shown it: one address, without what the
 * link adds to it (subject, body, other recipients). Undefined where it is no such link. Pure.
 */
export function plainMailLink(address: string): string | undefined {
	const mail = address.trim().split(/[?#]/, 1)[0] ?? '';
	return mail.length <= LONGEST && MAIL.test(mail) ? mail : undefined;
}
