import packageJson from '../../package.json' with { type: 'json' };

export const HEARTH_VERSION: string = packageJson.version;
