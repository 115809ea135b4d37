/** Small real PDFs, written by hand. */

export interface PdfOptions {
	/** One text for each page; an empty one makes a page without text. */
	readonly pages: readonly string[];
	/** Needs a password that nobody has. */
	readonly encrypted?: boolean;
	/** A last page of forms within forms, whose text has no end. */
	readonly endless?: boolean;
}

const ENDLESS = '\0';
const DEPTH = 10;

export function makePdf({ pages: given, encrypted = false, endless = false }: PdfOptions): Uint8Array {
	const pages = endless ? [...given, ENDLESS] : given;
	const objects: string[] = [];
	const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
	objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
	objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
	for (const [index, text] of pages.entries()) {
		const lines = text.split('\n').map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj 0 -14 Td`);
		const content = text === ENDLESS ? '/X0 Do' : text === '' ? '' : `BT /F1 12 Tf 72 720 Td ${lines.join(' ')} ET`;
		objects.push(
			`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >>${endless ? ` /XObject << /X0 ${4 + pages.length * 2} 0 R >>` : ''} >> /Contents ${5 + index * 2} 0 R >>`,
			`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
		);
	}
	if (endless) {
		for (let depth = 0; depth < DEPTH; depth++) {
			const inner = depth === DEPTH - 1 ? 'BT /F1 12 Tf 72 720 Td (word) Tj ET' : '/X0 Do '.repeat(20);
			const uses = `/Font << /F1 3 0 R >> /XObject << /X0 ${objects.length + 2} 0 R >>`;
			objects.push(
				`<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << ${uses} >> /Length ${inner.length} >>\nstream\n${inner}\nendstream`,
			);
		}
	}
	if (encrypted) objects.push(`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`);
	let file = '%PDF-1.4\n';
	const offsets = objects.map((object, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return offset;
	});
	const xref = file.length;
	const protection = encrypted ? ` /Encrypt ${objects.length} 0 R /ID [<00> <00>]` : '';
	file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')}`;
	file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${protection} >>\nstartxref\n${xref}\n%%EOF\n`;
	return Buffer.from(file, 'latin1');
}
