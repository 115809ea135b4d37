import { cutCodePoints, repairSurrogates } from '../domain/text.ts';

const NAME_LIMIT = 80;
/** Names that Windows keeps for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A file name made of a title that every system takes. */
export function exportName(title: string, extension: 'md' | 'json'): string {
	const plain = repairSurrogates(title)
		.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069\\/:*?"<>|]/gu, ' ')
		.replace(/\s+/gu, ' ');
	const name = cutCodePoints(plain.trim().replace(/^\.+/, ''), NAME_LIMIT).replace(/[. ]+$/, '');
	return `${name === '' || RESERVED.test(name) ? `Chat ${name}`.trim() : name}.${extension}`;
}
