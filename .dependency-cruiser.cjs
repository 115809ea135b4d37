/** The layers of ARCHITECTURE.md as rules: a folder imports lower levels only; siblings never import each other. */
const LEVELS = [
	['domain'],
	['base', 'contract'],
	['db', 'embed', 'net', 'secrets', 'schedule'],
	['model', 'memory', 'firewall', 'approvals', 'sessions'],
	['tools'],
	['run', 'timer'],
	['heartbeat', 'tasks', 'workflows'],
	['app'],
	['cli'],
];

const layerRules = LEVELS.flatMap((folders, level) =>
	folders.map((folder) => {
		const allowed = [folder, ...LEVELS.slice(0, level).flat()];
		return {
			name: `layer-${folder}`,
			severity: 'error',
			comment: `src/${folder} (level ${level}) may import only: ${allowed.join(', ')}.`,
			from: { path: `^src/${folder}/` },
			to: { path: '^(src|electron|renderer|test|bench)/', pathNot: `^src/(${allowed.join('|')})/` },
		};
	}),
);

module.exports = {
	forbidden: [
		...layerRules,
		{
			name: 'no-cycles',
			severity: 'error',
			comment: 'Cycles hide who owns what.',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
		{
			name: 'contract-is-pure',
			severity: 'error',
			comment: 'src/domain and src/contract run in every process: no Node modules.',
			from: { path: '^src/(domain|contract)/' },
			to: { dependencyTypes: ['core'] },
		},
		{
			name: 'network-through-src-net',
			severity: 'error',
			comment: 'All that leaves the machine passes the guarded fetch of src/net; beside it only the doors listen (web*.ts, socket*.ts).',
			from: { path: '^(src|electron|renderer)/', pathNot: '^src/(net/|app/(web|socket)[^/]*\\.ts$)' },
			to: { path: '^(node:)?(https?|http2|net|tls|dgram)$|(^|node_modules/)(undici|nodemailer|imapflow)(/|$)' },
		},
		{
			name: 'doors-only-listen',
			severity: 'error',
			comment: 'A door has no HTTP client beyond the module of its server.',
			from: { path: '^src/app/(web|socket)[^/]*\\.ts$' },
			to: { path: '^(node:)?(https|http2|tls|dgram)$|(^|node_modules/)undici(/|$)' },
		},
		{
			name: 'renderer-imports-contract-only',
			severity: 'error',
			comment: 'renderer/ talks through src/contract (and the vocabulary in src/domain).',
			from: { path: '^renderer/' },
			to: { path: '^(src|electron|test|bench)/', pathNot: '^src/(contract|domain)/' },
		},
		{
			name: 'renderer-no-node',
			severity: 'error',
			comment: 'The view has no Node.',
			from: { path: '^renderer/' },
			to: { dependencyTypes: ['core'] },
		},
		{
			name: 'electron-imports-contract-only',
			severity: 'error',
			comment: 'Only electron/host-entry.ts may import src/app.',
			from: { path: '^electron/', pathNot: '^electron/host-entry\\.ts$' },
			to: { path: '^(src|renderer|test|bench)/', pathNot: '^src/(contract|domain)/' },
		},
		{
			name: 'host-entry-imports-app',
			severity: 'error',
			comment: 'electron/host-entry.ts is wiring: the app, the contract, the base.',
			from: { path: '^electron/host-entry\\.ts$' },
			to: { path: '^(src|renderer|test|bench)/', pathNot: '^src/(app|contract|domain|base|secrets)/' },
		},
		{
			name: 'no-test-in-product',
			severity: 'error',
			comment: 'The product never imports its tests.',
			from: { path: '^(src|electron|renderer)/' },
			to: { path: '^(test|bench)/' },
		},
		{
			name: 'frameworks-stay-out-of-src',
			severity: 'error',
			comment: 'src/ is the product without Electron and React.',
			from: { path: '^src/' },
			to: { path: 'node_modules/(electron|react|react-dom|zustand)/' },
		},
		{ name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(cloudflare:|electron$)' } },
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^(dist|out)/' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: '.config/tsconfig.base.json' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'types', 'node', 'default'],
			extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
		},
	},
};
