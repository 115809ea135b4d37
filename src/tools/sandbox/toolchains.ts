import { access, constants, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** Languages and tools that the owner installed beside those of the system. */

const TOOLS = ['node', 'npm', 'python3', 'git', 'cargo', 'rustc', 'go', 'java', 'ruby', 'deno', 'bun', 'uv', 'php'];

/** Folders of version managers below a home: each installation in them is a folder of its own, with programs in `bin`. */
const MANAGED = [
	'.nvm/versions',
	'.local/share/fnm/node-versions',
	'.fnm/node-versions',
	'.volta/tools',
	'.asdf/installs',
	'.local/share/mise/installs',
	'.pyenv/versions',
	'.local/share/uv/python',
	'.rbenv/versions',
	'.rustup/toolchains',
	'.sdkman/candidates',
	'.bun',
	'.deno',
];

const OUTSIDE_HOMES = ['/opt', '/usr/local', '/home/linuxbrew/.linuxbrew', '/nix/store', '/snap'];

export interface Toolchain {
	/** The whole installation, to be read. */
	readonly root: string;
	/** Goes on the PATH. */
	readonly bin: string;
}

/** Of what is found on this PATH: each tool's first installation that is outside `/usr` and in a folder of its own. Never a home, nor what holds one. */
export async function findToolchains(path: string, home: string): Promise<Toolchain[]> {
	const found = new Map<string, Toolchain>();
	for (const tool of TOOLS) {
		const toolchain = await firstOf(tool, path, home);
		if (toolchain) found.set(toolchain.root, toolchain);
	}
	return [...found.values()];
}

async function firstOf(tool: string, path: string, home: string): Promise<Toolchain | undefined> {
	for (const folder of path.split(delimiter).filter(isAbsolute)) {
		const program = await runnable(join(folder, tool));
		if (program === undefined) continue;
		// What the system has comes with `/usr`.
		if (program.startsWith('/usr/') && !program.startsWith('/usr/local/')) return undefined;
		const toolchain = toolchainOf(program, home);
		if (toolchain) return toolchain;
	}
	return undefined;
}

/** The installation that a program without links in its path belongs to; undefined where it is in none that may be shown. */
export function toolchainOf(program: string, home: string): Toolchain | undefined {
	for (let bin = dirname(program); bin !== dirname(bin); bin = dirname(bin)) {
		if (basename(bin) !== 'bin') continue;
		const root = dirname(bin);
		return isInstallation(root, home) ? { root, bin } : undefined;
	}
	// `npm` leads to a script below `lib`, beside `bin`.
	const lib = program.lastIndexOf(`${sep}lib${sep}`);
	const root = program.slice(0, Math.max(lib, 0));
	return lib > 0 && isInstallation(root, home) ? { root, bin: join(root, 'bin') } : undefined;
}

function isInstallation(root: string, home: string): boolean {
	const below = (folder: string): boolean => root.startsWith(folder + sep);
	if (below(home) || root === home) return MANAGED.some((folder) => below(join(home, folder)) || root === join(home, folder));
	return OUTSIDE_HOMES.some((folder) => below(folder));
}

async function runnable(file: string): Promise<string | undefined> {
	try {
		await access(file, constants.X_OK);
		return await realpath(file);
	} catch {
		// Not there, or not for us.
		return undefined;
	}
}
