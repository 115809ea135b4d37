import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runArm } from './pollution/arms.ts';
import { figuresOf } from './pollution/figures.ts';
import type { Persona } from './pollution/model.ts';
import { ARMS, type Arm } from './pollution/posts.ts';

/**
 * `npm run -s bench -- pollution [--arm NAME]... [--cells N] [--seed N] [--jobs N] [--no-calibrated]`: whether what background work reads comes into
 * memory, prompts and replies before the owner let it. README.md says what is measured and what is not.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({
		args,
		options: {
			arm: { type: 'string', multiple: true },
			cells: { type: 'string' },
			seed: { type: 'string', default: '1' },
			jobs: { type: 'string', default: '2' },
			'no-calibrated': { type: 'boolean', default: false },
		},
	});
	const arms = (values.arm ?? ARMS).map((name): Arm => {
		const arm = ARMS.find((known) => known === name);
		if (arm === undefined) throw new Error(`There is no arm “${name}”: ${ARMS.join(', ')}.`);
		return arm;
	});
	const about = { seed: values.seed, cells: values.cells === undefined ? undefined : Number(values.cells), jobs: Number(values.jobs) };
	const folder = mkdtempSync(join(roomInMemory() ?? tmpdir(), 'hearth-pollution-'));
	try {
		const results = [];
		const passes: [Persona, readonly Arm[]][] = [
			['worst', arms],
			['calibrated', values['no-calibrated'] ? [] : arms.filter((arm) => arm === 'control' || arm === 'hearth')],
		];
		for (const [persona, some] of passes)
			for (const arm of some) results.push(await runArm({ ...about, arm, persona, folder: join(folder, `${persona}-${arm}`) }));
		return figuresOf(results);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Where Linux has files without a disk: what is measured is no question of disks, and a kill ends a process there as anywhere. */
function roomInMemory(): string | undefined {
	try {
		accessSync('/dev/shm', constants.W_OK);
		return '/dev/shm';
	} catch {
		return undefined;
	}
}
