// The one test command: `node test/run.mjs [check|soak|packaged|fast|crash|e2e …]`. Without words: everything CI runs.
// Ends with one line `N passed, N failed`. A skipped test counts as failed: what can't run here must say so by failing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = (name) => join(root, 'node_modules/.bin', name);
if (Number(process.versions.node.split('.')[0]) < 24) {
	console.error(
		`Node ${process.versions.node} is too old for the tests. Run "npm install" first, then "npm test": the project brings its own Node 24.`,
	);
	process.exit(1);
}

// The tools' `#!/usr/bin/env node` finds the project's own Node also when this file is run without npm.
process.env.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;

const DEFAULT_GROUPS = ['check', 'build', 'fast', 'crash', 'e2e', 'packaged'];
const asked = process.argv.slice(2);
const stranger = asked.find((group) => ![...DEFAULT_GROUPS, 'soak'].includes(group));
if (stranger !== undefined) {
	console.error(`There is no group "${stranger}". Groups: ${DEFAULT_GROUPS.join(', ')} (the default, in this order) and soak.`);
	process.exit(2);
}
const groups = asked.length > 0 ? asked : DEFAULT_GROUPS;
// The many processes that tests start need not read the same sources anew each time.
process.env.NODE_COMPILE_CACHE = join(root, '.tmp', 'compile-cache');
let passed = 0;
let failed = 0;
const failures = [];
/** Failed at first, passed when run again. */
const unsteady = [];

function run(command, args, options = {}) {
	const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, FORCE_COLOR: '0' }, ...options });
	if (result.error) console.error(`${command} could not be started: ${result.error.message}`);
	return result.status ?? 1;
}

function step(name, command, args) {
	const started = Date.now();
	const ok = run(command, args) === 0;
	console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
	if (ok) passed += 1;
	else {
		failed += 1;
		failures.push(name);
	}
}

function check() {
	for (const project of ['src', 'src/contract', 'electron', 'renderer', 'test']) step(`types: ${project}`, bin('tsc'), ['-p', project]);
	step('lint and format', bin('biome'), ['check', '--error-on-warnings', '.']);
	step('layers and cycles', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', 'src', 'electron', 'renderer', 'test', 'bench']);
	step('dead code', bin('knip'), ['--config', '.knip.jsonc', '--no-progress']);
}

/** These wait for other processes as much as they compute: one more of them than there are processors on the machine they are made for. */
const WORKERS = { fast: ['--maxWorkers=3'], property: ['--maxWorkers=3'], crash: ['--maxWorkers=3'] };

/** Run as one. */
const PARTS = { fast: ['fast-unit', 'property', 'fast'] };

/** Runs a project, or only these files of it: how many tests passed, by file, and what did not. */
function runProject(project, files = []) {
	const report = join(root, '.tmp', `${project}.json`);
	mkdirSync(join(root, '.tmp'), { recursive: true });
	rmSync(report, { force: true });
	const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
	const status = run(bin('vitest'), [
		'run',
		'--config',
		'.config/vitest.ts',
		...(PARTS[project] ?? [project]).flatMap((part) => ['--project', part]),
		...json,
		...(WORKERS[project] ?? []),
		...files,
	]);
	const passedIn = new Map();
	const failedFiles = new Set();
	const problems = [];
	if (!existsSync(report)) return { passedIn, failedFiles, problems: [`${project}: no report`] };
	const result = JSON.parse(readFileSync(report, 'utf8'));
	for (const file of result.testResults) {
		const name = relative(root, file.name);
		const bad = file.assertionResults.filter((test) => test.status !== 'passed');
		passedIn.set(name, file.assertionResults.length - bad.length);
		for (const test of bad) problems.push(`${project}: ${test.fullName} (${test.status})`);
		if (bad.length > 0 || file.status === 'failed') failedFiles.add(name);
	}
	if (status !== 0 && result.numFailedTests === 0)
		problems.push(`${project}: ended with status ${status} (a file that does not load, or an error outside a test)`);
	return { passedIn, failedFiles, problems };
}

/**
 * Files with a failure are run again up to `again` times, by themselves and one after the other: a browser or a window on a busy machine
 * may lose a race that is not ours. What passed only then is named at the end.
 */
function vitest(project, { again = 0, files = [] } = {}) {
	let { passedIn, failedFiles, problems } = runProject(project, files);
	const first = problems;
	for (let left = again; left > 0 && failedFiles.size > 0; left -= 1) {
		console.log(`\nAgain, by themselves: ${[...failedFiles].join(', ')}`);
		const next = runProject(project, ['--no-file-parallelism', ...failedFiles]);
		passedIn = new Map([...passedIn, ...next.passedIn]);
		({ failedFiles, problems } = next);
	}
	if (problems.length === 0) unsteady.push(...first);
	for (const count of passedIn.values()) passed += count;
	failed += problems.length;
	failures.push(...problems);
}

/** The programs that tests start again and again are built once: they start in a third of the time then. */
function buildPrograms() {
	step('programs of the tests', bin('vite'), [
		'build',
		'--config',
		'.config/vite.programs.ts',
		'--configLoader',
		'native',
		'--logLevel',
		'warn',
	]);
	process.env.HEARTH_TEST_PROGRAMS = 'built';
}

for (const group of groups) {
	if (['fast', 'crash', 'soak'].includes(group) && process.env.HEARTH_TEST_PROGRAMS !== 'built') buildPrograms();
	console.log(`\n== ${group}`);
	if (group === 'check') check();
	else if (group === 'build') step('build', process.execPath, ['electron/dev/build.mjs', 'all']);
	else if (group === 'e2e') {
		vitest('e2e-browser', { again: 2 });
		vitest('e2e-window', { again: 2 });
	} else {
		// The long tests are their own, those that kill, at each place instead of at every fifth, and the properties, with more runs.
		if (group === 'soak') {
			process.env.HEARTH_THOROUGH = '1';
			vitest('crash');
			vitest('property');
		}
		vitest(group);
	}
}

if (unsteady.length > 0) console.log(`\nPassed only when run again:\n${unsteady.map((name) => `- ${name}`).join('\n')}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `- ${name}`).join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
