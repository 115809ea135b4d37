/** A mail taken apart as an IMAP server has to: where its parts lie, byte for byte. */

export interface MimePart {
	/** With the empty line that ends it. */
	readonly header: Buffer;
	readonly body: Buffer;
	readonly type: string;
	readonly subtype: string;
	readonly parameters: readonly (readonly [string, string])[];
	readonly encoding: string;
	readonly disposition: { readonly name: string; readonly parameters: readonly (readonly [string, string])[] } | undefined;
	readonly children: readonly MimePart[];
}

export function parseMime(raw: Buffer): MimePart {
	const end = raw.indexOf('\r\n\r\n');
	const header = end < 0 ? raw : raw.subarray(0, end + 4);
	const body = end < 0 ? Buffer.alloc(0) : raw.subarray(end + 4);
	const lines = header
		.toString('latin1')
		.replace(/\r\n[ \t]+/g, ' ')
		.split('\r\n');
	const field = (name: string) =>
		lines
			.find((line) => line.toLowerCase().startsWith(`${name}:`))
			?.slice(name.length + 1)
			.trim();
	const content = parametersOf(field('content-type') ?? 'text/plain; charset=us-ascii');
	const [type = 'text', subtype = 'plain'] = content.name.toLowerCase().split('/');
	const disposition = field('content-disposition');
	const boundary = content.parameters.find(([name]) => name === 'boundary')?.[1];
	const inner = type === 'multipart' && boundary !== undefined ? split(body, boundary).map(parseMime) : [];
	return {
		header,
		body,
		type,
		subtype,
		parameters: content.parameters,
		encoding: field('content-transfer-encoding') ?? '7bit',
		disposition: disposition === undefined ? undefined : parametersOf(disposition),
		children: type === 'message' ? [parseMime(body)] : inner,
	};
}

/** `1.2`, `1.2.MIME`, `HEADER`, `TEXT`, or the whole. Undefined where there is no such part. */
export function sectionOf(raw: Buffer, section: string): Buffer | undefined {
	if (section === '') return raw;
	const root = parseMime(raw);
	if (section === 'HEADER') return root.header;
	if (section === 'TEXT') return root.body;
	const [, numbers = '', what = ''] = /^([\d.]*?)\.?(MIME|HEADER|TEXT)?$/.exec(section) ?? [];
	let part: MimePart | undefined = root;
	for (const number of numbers.split('.')) {
		if (part?.type === 'multipart') part = part.children[Number(number) - 1];
		else if (number !== '1') part = undefined;
	}
	return what === '' || what === 'TEXT' ? part?.body : part?.header;
}

export function bodyStructure(part: MimePart): string {
	const disposition = part.disposition ? `(${quoted(part.disposition.name)} ${list(part.disposition.parameters)})` : 'NIL';
	if (part.type === 'multipart') {
		const children = part.children.map(bodyStructure).join('');
		return `(${children} ${quoted(part.subtype)} ${list(part.parameters)} ${disposition} NIL NIL)`;
	}
	const lines = part.body.toString('latin1').split('\r\n').length - 1;
	const fields = [quoted(part.type), quoted(part.subtype), list(part.parameters), 'NIL', 'NIL', quoted(part.encoding), part.body.length];
	if (part.type === 'message') fields.push(`(${Array(10).fill('NIL').join(' ')})`, ...part.children.map(bodyStructure), lines);
	if (part.type === 'text') fields.push(lines);
	return `(${fields.join(' ')} NIL ${disposition} NIL NIL)`;
}

export function quoted(text: string): string {
	if (/[^\u0020-\u007e]/.test(text)) return `{${Buffer.byteLength(text, 'latin1')}}\r\n${text}`;
	return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function list(parameters: readonly (readonly [string, string])[]): string {
	return parameters.length === 0 ? 'NIL' : `(${parameters.flat().map(quoted).join(' ')})`;
}

function parametersOf(value: string) {
	const [name = '', ...rest] = value.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
	const parameters = rest.flatMap((one) => {
		const at = one.indexOf('=');
		return at < 0
			? []
			: [
					[
						one.slice(0, at).trim().toLowerCase(),
						one
							.slice(at + 1)
							.trim()
							.replace(/^"|"$/g, ''),
					] as const,
				];
	});
	return { name: name.trim(), parameters };
}

function split(body: Buffer, boundary: string): Buffer[] {
	const text = `\r\n${body.toString('latin1')}`;
	const pieces = text.split(`\r\n--${boundary}`).slice(1);
	return pieces.filter((piece) => !piece.startsWith('--')).map((piece) => Buffer.from(piece.replace(/^[^\r]*\r\n/, ''), 'latin1'));
}
