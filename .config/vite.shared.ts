import path from 'node:path';

/** The project's folder. Where a target is written is said by the build script, which swaps complete builds in. */
export const projectFolder = path.resolve(import.meta.dirname, '..');
