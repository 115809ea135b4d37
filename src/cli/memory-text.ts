import { assertNever } from '../domain/assert-never.ts';
import type { EntryVersion, MemoryEntry, MemoryHit, Provenance, Source } from '../domain/memory.ts';
import { when } from './context.ts';

/** Memory in words, for the terminal. */

export function placeOf(entry: MemoryEntry): string {
	const lines = entry.lineEnd > entry.lineStart ? `${entry.lineStart}-${entry.lineEnd}` : `${entry.lineStart}`;
	return `${entry.file}:${lines}`;
}

export function oneLine(text: string, most = 100): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	return line.length > most ? `${[...line].slice(0, most - 1).join('')}…` : line;
}

const AUTHORS: Record<Provenance['author'], string> = {
	owner: 'you',
	agent: 'the agent',
	heartbeat: 'the heartbeat',
	import: 'an import',
	file_edit: 'you, in the file',
	tool: 'a program that a tool ran',
	unknown: 'unknown origin',
};

/** Who wrote it, when, from what, and who let it in: always said, also that there is no source (M2). */
export function provenanceText(provenance: Provenance): string {
	const { author, at, modelName, approval, reason } = provenance;
	const head = `by ${AUTHORS[author]}${modelName === undefined ? '' : ` (${modelName})`}, ${when(at)}, ${labelText(provenance)}`;
	const sources = provenance.sources.length > 0 ? provenance.sources.map((source) => sourceText(source)) : ['no source'];
	const approved = approval ? [`approved by you, ${when(approval.at)}${approval.proposedText === undefined ? '' : ', edited'}`] : [];
	return [head, ...sources, ...approved, ...(reason === undefined ? [] : [`because: ${oneLine(reason)}`])].join('; ');
}

export function labelText({ label, origin }: Pick<Provenance, 'label' | 'origin'>): string {
	return label === 'approved' && origin === 'external' ? 'external, approved' : label;
}

function addressOf({ address }: { address?: string | undefined }): string[] {
	return address === undefined ? [] : [oneLine(address, 1_000)];
}

/** `most`: characters of each quote, which an answer bound to all of it must not cut. */
export function sourceText(source: Source, most = 100): string {
	switch (source.kind) {
		case 'message': {
			const where = source.deleted ? 'conversation deleted' : `chat “${oneLine(source.sessionTitle, most)}” ${source.messageId}`;
			return `from ${source.role === 'user' ? 'your message' : 'a reply'} (${where}): “${oneLine(source.quote, most)}”`;
		}
		case 'finding':
			return `from the finding “${oneLine(source.title, most)}”: “${oneLine(source.quote, most)}”`;
		case 'url':
			return `from ${source.url} (fetched ${when(source.fetchedAt)}): “${oneLine(source.quote, most)}”`;
		case 'file':
			return `from the file ${source.path}: “${oneLine(source.quote, most)}”`;
		case 'tool':
			return `from ${oneLine(source.name, most)} (${[source.of, when(source.at), ...addressOf(source)].join(', ')}): “${oneLine(source.quote, most)}”`;
		case 'entry':
			return `from the entry ${source.entryId}: “${oneLine(source.quote, most)}”`;
		default:
			return assertNever(source);
	}
}

export function entryText(entry: MemoryEntry): string {
	const state = entry.state === 'current' ? '' : `  [${entry.state.replace('_', ' ')}]`;
	const heading = entry.headingPath.length > 0 ? `  ${entry.headingPath.join(' > ')}` : '';
	return [
		`${placeOf(entry)}${heading}${state}`,
		indented(entry.text),
		`    ${provenanceText(entry.provenance)}`,
		`    id ${entry.id}`,
	].join('\n');
}

export function hitText({ entry, score, parts }: MemoryHit): string {
	const shares = Object.entries(parts).map(([name, value]) => `${name} ${value.toFixed(3)}`);
	return `${entryText(entry)}\n    score ${score.toFixed(3)} (${shares.join(', ')})`;
}

export function versionText(version: EntryVersion): string {
	const undone = version.undoneBy === undefined ? '' : '  [taken back]';
	const texts = version.forgotten
		? ['    (forgotten: the text is kept nowhere)']
		: [...(version.before === null ? [] : [marked('-', version.before)]), ...(version.after === null ? [] : [marked('+', version.after)])];
	return [
		`${version.changeId}  ${when(version.at)}  ${version.kind.replace('_', ' ')}  ${version.file}${undone}`,
		...texts,
		`    ${provenanceText(version.provenance)}`,
		`    entry ${version.entryId}`,
	].join('\n');
}

export function marked(mark: string, text: string): string {
	return text
		.split('\n')
		.map((line) => `  ${mark} ${line}`)
		.join('\n');
}

function indented(text: string): string {
	return text
		.split('\n')
		.map((line) => `    ${line}`)
		.join('\n');
}
