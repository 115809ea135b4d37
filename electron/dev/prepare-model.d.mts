export function prepareModel(folder: string, from?: string): Promise<boolean>;
