/** Mails as they lie on a server, written by hand. */

export interface MailWords {
	readonly from?: string;
	readonly subject?: string;
	readonly date?: string;
	/** Empty: it has none. */
	readonly messageId?: string;
	readonly text?: string;
	readonly html?: string;
	readonly attachments?: readonly { readonly name: string; readonly content: string | Buffer }[];
	/** More lines of its header. */
	readonly headers?: readonly string[];
}

let count = 0;

export function mail(words: MailWords = {}): Buffer {
	const { from = 'Ada Example <ada@example.org>', subject = 'Hello', date = 'Mon, 30 Nov 2026 05:00:00 +0000', attachments = [] } = words;
	count += 1;
	const messageId = words.messageId ?? `<mail-${count}@example.org>`;
	const header = [
		`From: ${from}`,
		'To: owner@example.net',
		`Subject: ${subject}`,
		`Date: ${date}`,
		...(messageId === '' ? [] : [`Message-ID: ${messageId}`]),
		'MIME-Version: 1.0',
		...(words.headers ?? []),
	];
	const bodies = [
		...(words.text === undefined ? [] : [part('text/plain; charset=utf-8', words.text)]),
		...(words.html === undefined ? [] : [part('text/html; charset=utf-8', words.html)]),
	];
	const body =
		bodies.length === 1 ? (bodies[0] ?? '') : multipart('alternative', bodies.length === 0 ? [part('text/plain', 'Hi.')] : bodies);
	const files = attachments.map(({ name, content }) =>
		[
			`Content-Type: application/octet-stream; name="${name}"`,
			`Content-Disposition: attachment; filename="${name}"`,
			'Content-Transfer-Encoding: base64',
			'',
			Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
		].join('\r\n'),
	);
	return Buffer.from([...header, files.length === 0 ? body : multipart('mixed', [body, ...files])].join('\r\n'));
}

function part(type: string, content: string): string {
	return [`Content-Type: ${type}`, 'Content-Transfer-Encoding: 8bit', '', content].join('\r\n');
}

function multipart(kind: string, parts: readonly string[]): string {
	const boundary = `=_${kind}_${count}`;
	return [
		`Content-Type: multipart/${kind}; boundary="${boundary}"`,
		'',
		...parts.flatMap((one) => [`--${boundary}`, one]),
		`--${boundary}--`,
		'',
	].join('\r\n');
}
