import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { MakerDeb } from '@electron-forge/maker-deb';
import { MakerDMG } from '@electron-forge/maker-dmg';
import { MakerSquirrel } from '@electron-forge/maker-squirrel';
import { MakerZIP } from '@electron-forge/maker-zip';
import { FusesPlugin } from '@electron-forge/plugin-fuses';
import type { ForgeConfig } from '@electron-forge/shared-types';

/** What `electron/dev/make.mjs` found out; see there. */
interface MakeOptions {
	/** Folder with `electron-v…-….zip`, for making a package without a network. */
	electronZipDir?: string;
	/** The zip holds the fallback runtime: the package is for development and tests. */
	fallback?: boolean;
	/** A Node 24 that the runtime is run with, for an Electron that can't load the database driver. */
	node?: string;
	/** Where the results go; `out` in the project unless told. */
	out?: string;
	/** Tests drive this package: they need the inspector, which a release locks. */
	driven?: boolean;
}

const options: MakeOptions = JSON.parse(process.env.HEARTH_MAKE ?? '{}');
const name = options.fallback ? 'hearth-electron33-dev' : 'hearth';
const root = import.meta.dirname;

/** Everything that goes into a package; the project holds much more. Folders on the way to a part are kept, too. */
function isPart(file: string, platform: string, arch: string): boolean {
	const parts = [
		'/package.json',
		'/LICENSE',
		'/assets/icon.png',
		...['tray-light', 'tray-dark', 'trayTemplate'].flatMap((tray) => [`/assets/${tray}.png`, `/assets/${tray}@2x.png`]),
		'/dist/main',
		'/dist/preload',
		'/dist/runtime',
		'/dist/renderer',
		'/dist/model',
		'/node_modules/better-sqlite3/package.json',
		'/node_modules/better-sqlite3/LICENSE',
		'/node_modules/better-sqlite3/lib',
		`/node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`,
		'/node_modules/onnxruntime-node/package.json',
		'/node_modules/onnxruntime-node/dist',
		`/node_modules/onnxruntime-node/bin/napi-v6/${platform}/${arch}`,
		'/node_modules/onnxruntime-common/package.json',
		'/node_modules/onnxruntime-common/dist/cjs',
		'/node_modules/sqlite-vec',
		`/node_modules/sqlite-vec-${platform === 'win32' ? 'windows' : platform}-${arch}`,
	];
	if (file.endsWith('.map')) return false;
	return parts.some((part) => file === part || file.startsWith(`${part}/`) || part.startsWith(`${file}/`));
}

const target = { platform: process.env.HEARTH_MAKE_PLATFORM ?? process.platform, arch: process.env.HEARTH_MAKE_ARCH ?? process.arch };

const config: ForgeConfig = {
	outDir: options.out ?? path.join(root, 'out'),
	packagerConfig: {
		name: process.platform === 'linux' ? name : options.fallback ? name : 'Hearth',
		executableName: name,
		appBundleId: 'org.hearth.app',
		appCategoryType: 'public.app-category.productivity',
		icon: path.join(root, 'assets', 'icon'),
		// Neither a native loader nor a plain Node can read inside the archive.
		asar: {
			unpack: '**/*.{node,so,dylib,dll}',
			unpackDir: options.node ? '{dist/runtime,dist/renderer,dist/model,node_modules}' : '{dist/runtime,dist/model,node_modules}',
		},
		ignore: (file) => file !== '' && !isPart(file.replaceAll('\\', '/'), target.platform, target.arch),
		prune: false,
		extraResource: options.node ? [options.node] : [],
		...(options.electronZipDir && { electronZipDir: options.electronZipDir }),
	},
	// The driver ships Node-API prebuilds: there is nothing to rebuild.
	rebuildConfig: { onlyModules: [] },
	hooks: {
		packageAfterCopy: async (_config, folder) => {
			const file = path.join(folder, 'package.json');
			const { productName, version, description, license, author, type, main, dependencies } = JSON.parse(readFileSync(file, 'utf8'));
			const kept = { name, productName, version, description, license, author, type, main, dependencies, desktopName: `${name}.desktop` };
			writeFileSync(file, `${JSON.stringify(kept, null, '\t')}\n`);
			const driver = path.join(folder, 'node_modules', 'better-sqlite3', 'prebuilds', `${target.platform}-${target.arch}.node`);
			if (!existsSync(driver)) throw new Error(`The database driver has no build for ${target.platform} ${target.arch}.`);
		},
	},
	makers: [
		new MakerZIP({}, ['linux', 'darwin', 'win32']),
		new MakerDeb({
			options: {
				name,
				productName: options.fallback ? 'Hearth (Electron 33, development)' : 'Hearth',
				bin: name,
				maintainer: 'The Hearth contributors <hearth@hearth.example>',
				homepage: 'https://hearth.example',
				section: 'utils',
				// Its own default, and what the agent’s commands run in.
				recommends: ['pulseaudio | libasound2', 'bubblewrap', 'socat'],
				categories: ['Utility', 'Office'],
				icon: Object.fromEntries(
					[16, 24, 32, 48, 64, 128, 256, 512].map((size) => [`${size}x${size}`, path.join(root, 'assets', 'icons', `${size}x${size}.png`)]),
				),
				desktopTemplate: path.join(root, 'assets', 'hearth.desktop.ejs'),
				// A package for tests is made often: quick to make matters more than small.
				...({ compression: options.driven ? 'none' : options.fallback ? 'gzip' : 'xz' } as object),
			},
		}),
		new MakerDMG({ icon: path.join(root, 'assets', 'icon.icns'), format: 'ULFO' }),
		new MakerSquirrel({ name: 'hearth', setupIcon: path.join(root, 'assets', 'icon.ico') }),
	],
	plugins: [
		new FusesPlugin({
			version: FuseVersion.V1,
			[FuseV1Options.RunAsNode]: false,
			[FuseV1Options.EnableCookieEncryption]: true,
			[FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
			[FuseV1Options.EnableNodeCliInspectArguments]: options.driven === true,
			[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: target.platform !== 'linux',
			[FuseV1Options.OnlyLoadAppFromAsar]: true,
			[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
			[FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
		}),
	],
};
export default config;
