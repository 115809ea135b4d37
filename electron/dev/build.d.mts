export const targets: string[];
export function build(target: string, options?: { quiet?: boolean; force?: boolean }): Promise<boolean>;
export function buildAll(names?: string[], options?: { quiet?: boolean; force?: boolean }): Promise<void>;
