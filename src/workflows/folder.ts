import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/system-code.ts';
import { terminal } from '../domain/errors.ts';
import { WorkflowName, type WorkflowProblem, type WorkflowSummary } from '../domain/workflow.ts';
import type { Definition } from './definition.ts';
import { diagramOf } from './diagram.ts';
import { type Known, MOST_BYTES, parseWorkflow } from './parse.ts';

const ENDING = '.yaml';

export interface WorkflowFile {
	readonly summary: WorkflowSummary;
	/** Empty where the file can't be read. */
	readonly text: string;
	/** Where it can be started. */
	readonly definition?: Definition | undefined;
}

/** The files of `workflows/`, read anew whenever they are asked for: a file that did not change is not parsed again. */
export class WorkflowFolder {
	readonly #folder: string;
	readonly #known: Known;
	readonly #files = new Map<string, { readonly stamp: string; readonly file: WorkflowFile }>();

	readonly #onChange: () => void;
	/** What was listed last, so that other views hear of what one of them finds. */
	#listed: string | undefined;

	constructor(folder: string, known: Known, onChange: () => void = () => {}) {
		this.#folder = folder;
		this.#known = known;
		this.#onChange = onChange;
	}

	/** By name. Files whose name can't be a workflow's are left out. */
	async list(): Promise<WorkflowSummary[]> {
		const names = await readdir(this.#folder).catch((error) => (systemCode(error) === 'ENOENT' ? [] : Promise.reject(error)));
		const files: WorkflowSummary[] = [];
		for (const name of names.sort()) {
			const workflow = WorkflowName.safeParse(name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : '');
			const file = workflow.success ? this.#file(workflow.data) : undefined;
			if (file) files.push(file.summary);
		}
		const listed = files.map(({ name, version }) => `${name}:${version}`).join();
		if (this.#listed !== undefined && this.#listed !== listed) this.#onChange();
		this.#listed = listed;
		return files;
	}

	/** Files that look like workflows and are not taken, and why: their name is none. */
	async ignored(): Promise<{ file: string; why: string }[]> {
		const names = await readdir(this.#folder).catch((error) => (systemCode(error) === 'ENOENT' ? [] : Promise.reject(error)));
		return names.sort().flatMap((name) => {
			const [, stem = '', ending] = /^(.+)(\.ya?ml)$/i.exec(name) ?? [];
			if (ending === undefined || name.startsWith('.')) return [];
			const better = `${stem
				.toLowerCase()
				.replace(/[^a-z0-9]+/g, '-')
				.replace(/^-|-$/g, '')}${ENDING}`;
			const named = WorkflowName.safeParse(stem).success;
			if (named && ending === ENDING) return [];
			const why = named ? `It must end in ${ENDING}.` : 'Its name may have small letters, digits and - only.';
			return [{ file: `workflows/${name}`, why: better === ENDING ? why : `${why} Call it ${better}` }];
		});
	}

	/** Throws `not_found`. At once, so that it can be started in a transaction: a workflow is a small file. */
	get(name: WorkflowName): WorkflowFile {
		const file = this.#file(name);
		if (!file)
			throw terminal('not_found', `There is no workflow “${name}”.`, {
				action: `See: hearth workflows list. Its file would be workflows/${name}${ENDING}.`,
			});
		return file;
	}

	validate(text: string): WorkflowProblem[] {
		return [...parseWorkflow(text, this.#known).problems];
	}

	#file(name: WorkflowName): WorkflowFile | undefined {
		try {
			return this.#read(name, join(this.#folder, `${name}${ENDING}`));
		} catch (error) {
			const code = systemCode(error);
			if (code === '') throw error;
			// It must not hide the others.
			return code === 'ENOENT' ? undefined : closed(name, code);
		}
	}

	#read(name: WorkflowName, path: string): WorkflowFile | undefined {
		const found = statSync(path);
		if (!found.isFile()) return undefined;
		const stamp = `${found.mtimeMs}:${found.size}:${found.ino}`;
		const before = this.#files.get(name);
		if (before?.stamp === stamp) return before.file;
		// A file of this size is not read at all.
		const file = found.size > MOST_BYTES ? tooLarge(name) : this.#parse(name, readFileSync(path, 'utf8'));
		this.#files.set(name, { stamp, file });
		return file;
	}

	#parse(name: WorkflowName, text: string): WorkflowFile {
		const { version, problems, definition } = parseWorkflow(text, this.#known);
		const summary: WorkflowSummary = {
			...base(name),
			version,
			problems: [...problems],
			...(definition && {
				title: definition.title,
				description: definition.description,
				diagram: diagramOf(definition),
				inputs: [...definition.inputs],
			}),
		};
		return { summary, text, definition: problems.length === 0 ? definition : undefined };
	}
}

function base(name: WorkflowName): WorkflowSummary {
	return { name, title: name, description: '', file: `workflows/${name}${ENDING}`, version: '', problems: [], inputs: [] };
}

function tooLarge(name: WorkflowName): WorkflowFile {
	return unread(name, 'The file is larger than 1 MB.');
}

function closed(name: WorkflowName, code: string): WorkflowFile {
	return unread(name, `The file can’t be read (${code}): check its permissions.`);
}

function unread(name: WorkflowName, message: string): WorkflowFile {
	return { summary: { ...base(name), problems: [{ line: 1, column: 1, message }] }, text: '' };
}
