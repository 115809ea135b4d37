import { z } from 'zod';

/** What is said between the runtime and the thread that reads mails. */

export const READS_MAILS = 'read mails';

/** A mail, its header alone, or one part of it with a header of its own. */
export const MailJob = z.object({ bytes: z.instanceof(Uint8Array) });
export type MailJob = z.infer<typeof MailJob>;

/** What stands in it; empty where it says nothing. */
export const MailContent = z.object({
	subject: z.string(),
	/** `Name <address>` */
	from: z.string(),
	/** Without its angle brackets. */
	messageId: z.string(),
	/** As the sender says; undefined where that is no time. */
	sentAt: z.number().optional(),
	text: z.string(),
	html: z.string(),
	/** Of what is attached. */
	names: z.array(z.string()),
});
export type MailContent = z.infer<typeof MailContent>;

/** Of a name or a subject. */
export function oneLine(text: string): string {
	return text.replace(/[\r\n\t]+/g, ' ').trim();
}
