import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HearthError } from '../../../src/domain/errors.ts';
import { decodeText as decode } from '../../../src/sessions/decode-text.ts';
import { readPages } from '../../../src/sessions/pdf-worker.ts';
import { ATTACHMENT_TEXT_LIMIT, cleanName, readAttachment } from '../../../src/sessions/read-attachment.ts';
import { PDF_LIMITS, readPdf } from '../../../src/sessions/read-pdf.ts';
import { makePdf } from '../../support/pdf.ts';

const decodeText = (bytes: Uint8Array) => decode(bytes, 100_000)?.text;
const utf16 = (text: string, bigEndian = false) => {
	const bytes = Buffer.from(text, 'utf16le');
	return bigEndian ? bytes.swap16() : bytes;
};
const refusal = async (bytes: Uint8Array, name: string): Promise<HearthError> => {
	const error = await readAttachment(bytes, name, '').catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(HearthError);
	return error as HearthError;
};

describe('text in any encoding', () => {
	const german = 'Größe: 3 µm – „schön“, sagte er.\n';
	test('UTF-8, with and without a byte order mark', () => {
		expect(decodeText(Buffer.from('Größe 東京 😀'))).toBe('Größe 東京 😀');
		expect(decodeText(Buffer.from('\uFEFFGröße'))).toBe('Größe');
	});
	test('UTF-16 in both orders, with and without a byte order mark', () => {
		for (const bigEndian of [false, true]) {
			expect(decodeText(utf16(`\uFEFF${german}`, bigEndian))).toBe(german);
			expect(decodeText(utf16(german, bigEndian))).toBe(german);
		}
	});
	test('Latin-1 and Windows-1252', () => {
		expect(decodeText(Buffer.from('caf\xe9 \x93quoted\x94 5 \x80\n', 'latin1'))).toBe('café “quoted” 5 €\n');
	});
	test('CRLF becomes LF, and half an emoji in UTF-16 is repaired (chat-4)', () => {
		expect(decodeText(Buffer.from('a\r\nb\r\n'))).toBe('a\nb\n');
		expect(decodeText(utf16('\uFEFFcut \uD83D'))).toBe('cut \uFFFD');
	});
	test('no more is decoded than asked for, whatever the encoding, and never half a character', () => {
		for (const bytes of [Buffer.from('ab😀cd'), utf16('ab😀cd'), utf16('\uFEFFab😀cd', true)]) {
			expect(decode(bytes, 2)).toEqual({ text: 'ab', cut: true });
			expect(decode(bytes, 3)).toEqual({ text: 'ab', cut: true });
			expect(decode(bytes, 4)).toEqual({ text: 'ab😀', cut: true });
			expect(decode(bytes, 6)).toEqual({ text: 'ab😀cd', cut: false });
		}
		expect(decode(Buffer.from('ab\xe9', 'latin1'), 2)).toEqual({ text: 'ab', cut: true });
		expect(decode(Buffer.from('ab\xe9', 'latin1'), 3)).toEqual({ text: 'abé', cut: false });
	});
	test('bytes that are no text are told apart', () => {
		expect(decodeText(Uint8Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256))).toBeUndefined();
		expect(decodeText(Buffer.from('text with a \0 in it'))).toBeUndefined();
		expect(decodeText(Buffer.from('\x1b[31mred\x1b[0m log line\n'))).toContain('log line');
	});
});

describe('kinds of files', () => {
	test('images are known by their first bytes, whatever they are called', async () => {
		const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
		expect(await readAttachment(png, 'notes.txt', 'text/plain')).toEqual({ kind: 'image', mime: 'image/png', name: 'notes.txt', text: '' });
		expect(await readAttachment(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0]), 'a', '')).toMatchObject({ mime: 'image/jpeg' });
		expect(await readAttachment(Buffer.from('GIF89a...'), 'a', '')).toMatchObject({ mime: 'image/gif' });
		expect(await readAttachment(Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'a', '')).toMatchObject({ mime: 'image/webp' });
	});
	test('text that calls itself an image is text, and the mime type of text is kept', async () => {
		expect(await readAttachment(Buffer.from('hello'), 'photo.png', 'image/png')).toEqual({
			kind: 'text',
			mime: 'text/plain',
			name: 'photo.png',
			text: 'hello',
		});
		expect((await readAttachment(Buffer.from('{}'), 'a.json', 'application/json')).mime).toBe('application/json');
		expect((await readAttachment(Buffer.from('a,b'), 'a.csv', 'text/csv; charset=utf-8')).mime).toBe('text/csv');
	});
	test('a very long text is cut on a code point, and the text says so', async () => {
		const { text } = await readAttachment(Buffer.from(`a${'😀'.repeat(ATTACHMENT_TEXT_LIMIT / 2)}`), 'long.txt', '');
		expect(text).toMatch(/😀\n\n\[Hearth kept the first 2,000,000 characters of this file\.\]$/u);
		expect(/\p{Surrogate}/u.test(text)).toBe(false);
	});
	test('names lose their folders and whatever hides or reorders them', () => {
		expect(cleanName('C:\\Users\\me\\letter.pdf')).toBe('letter.pdf');
		expect(cleanName('../../etc/passwd')).toBe('passwd');
		expect(cleanName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe');
		expect(cleanName('a/')).toBe('file');
	});
	test('S5 what no model can read is refused with what to do instead', async () => {
		expect((await refusal(Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1'), 'report.docx')).shape).toMatchObject({
			code: 'invalid_input',
			message: expect.stringContaining('“report.docx” is a zip, Word'),
			action: expect.stringContaining('PDF or plain text'),
		});
		expect((await refusal(Buffer.from('\0\0\0\x18ftypheic', 'latin1'), 'photo.heic')).shape.action).toContain('PNG');
		expect((await refusal(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]), 'program')).shape.message).toContain('not text');
		expect((await refusal(new Uint8Array(), 'empty.txt')).shape.message).toBe('“empty.txt” is empty.');
	});
});

describe('PDF', () => {
	test('the text of all pages is read', async () => {
		const read = await readAttachment(
			makePdf({ pages: ['Boiler service\non Thursday', '', 'Page (three)'] }),
			'letter.pdf',
			'application/pdf',
		);
		expect(read).toEqual({ kind: 'pdf', mime: 'application/pdf', name: 'letter.pdf', text: 'Boiler service\non Thursday\n\nPage (three)' });
	});
	test('S5 a password, damage and scanned pages each have a clear error', async () => {
		const locked = await refusal(makePdf({ pages: ['secret'], encrypted: true }), 'locked.pdf');
		expect(locked.shape).toMatchObject({
			kind: 'needs_owner',
			message: expect.stringContaining('password'),
			action: expect.stringContaining('without a password'),
		});
		const broken = await refusal(Buffer.from('%PDF-1.7\nthis is no PDF at all'), 'broken.pdf');
		expect(broken.shape).toMatchObject({ kind: 'terminal', message: expect.stringContaining('“broken.pdf” is damaged') });
		expect((await refusal(makePdf({ pages: ['', ''] }), 'scan.pdf')).shape.message).toContain('holds no text');
	});
	test('no more than the given pages, characters and time are spent on a PDF', async () => {
		const pdf = makePdf({ pages: Array.from({ length: 20 }, (_, index) => `page ${index + 1}`) });
		const limits = { ...PDF_LIMITS, pages: 3, chars: 1000 };
		expect(await readPdf(pdf, 'a.pdf', limits)).toEqual({ text: 'page 1\n\npage 2\n\npage 3', pages: 20, pagesRead: 3 });
		expect((await readPdf(pdf, 'a.pdf', { ...limits, pages: 20, chars: 12 })).pagesRead).toBeLessThan(4);
		const { text } = await readAttachment(makePdf({ pages: Array.from({ length: 1001 }, () => 'x') }), 'long.pdf', '');
		expect(text).toMatch(/x\n\n\[Hearth read the first 1000 of 1001 pages\.\]$/);
	});
	test('S5 a page without end is cut off: Hearth itself goes on meanwhile, and the pages before it are kept', async () => {
		const ticks: number[] = [];
		const timer = setInterval(() => ticks.push(1), 10);
		try {
			await expect(readPdf(makePdf({ pages: [], endless: true }), 'bad.pdf', { ...PDF_LIMITS, timeMs: 1500 })).rejects.toThrow(
				'longer than',
			);
			const cut = await readPdf(makePdf({ pages: ['First', 'Second'], endless: true }), 'bad.pdf', { ...PDF_LIMITS, timeMs: 2500 });
			expect(cut).toEqual({ text: 'First\n\nSecond', pages: 3, pagesRead: 2 });
		} finally {
			clearInterval(timer);
		}
		expect(ticks.length).toBeGreaterThan(10);
	});
	test('S5 a PDF that needs more memory than its thread may have is refused', async () => {
		const large = makePdf({ pages: [], endless: true });
		await expect(readPdf(large, 'large.pdf', { ...PDF_LIMITS, heapMb: 12 })).rejects.toThrow('too much memory');
	});
	test('S5 any bytes at all are read or refused with a HearthError, damaged PDFs too', async () => {
		const sound = makePdf({ pages: ['Boiler service', 'Page two'] });
		const damage = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
		const damaged = fc.tuple(damage, fc.integer({ min: 40, max: sound.length })).map(([changes, length]) => {
			const bytes = Uint8Array.from(sound);
			for (const [at, byte] of changes) bytes[at] = byte;
			return bytes.subarray(0, length);
		});
		let [read, refused] = [0, 0];
		await fc.assert(
			fc.asyncProperty(
				fc.oneof({ weight: 3, arbitrary: damaged }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }) }),
				async (bytes) => {
					// What its thread does with a file, without the time to start one for each.
					for await (const word of readPages(bytes, 10)) {
						if (word.type === 'end') read++;
						if (word.type === 'refused') refused++;
					}
				},
			),
			{ numRuns: 200 },
		);
		expect(read + refused).toBe(200);
		expect(Math.min(read, refused)).toBeGreaterThan(0);
		await fc.assert(
			fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 400 })), async (bytes) => {
				try {
					const { text } = await readAttachment(bytes, 'fuzz', '');
					expect(/\p{Surrogate}|\0/u.test(text)).toBe(false);
				} catch (error) {
					if (!(error instanceof HearthError)) throw error;
					expect(error.shape.action).toBeTruthy();
				}
			}),
			{ numRuns: 10 },
		);
	});
});
