import { matchesGlob } from 'node:path';
import { isUnfinishedWrite } from '../../base/atomic-file.ts';
import { sha256 } from '../../base/sha256.ts';

/** Which names are files of the owner's, and which are what programs leave lying about while they write them. Pure. */

const UNFINISHED =
	/~$|^~\$|^#.*#$|\.(?:tmp|temp|part|partial|crdownload|download|opdownload|filepart|aria2|crswap|sw[a-p])$|\.sb-[0-9a-f]{8}-\w{6}$/i;
/** What stands behind the name of a file that is being downloaded under its own name. */
const BESIDE = ['.part', '.partial', '.crdownload', '.opdownload', '.filepart', '.aria2', '.download'];

/** Hidden, or not yet what it will be. */
export function isLeftOut(name: string): boolean {
	return name.startsWith('.') || UNFINISHED.test(name) || isUnfinishedWrite(name);
}

/** `names`: of its folder. A browser may put an empty file in the place of one that it is still loading. */
export function isBeingLoaded(name: string, names: ReadonlySet<string>): boolean {
	return BESIDE.some((ending) => names.has(`${name}${ending}`));
}

/** What a file is known by. */
export function fileKey(path: string): string {
	return sha256(path);
}

/** Whether a file's name fits `*.pdf` or `{scan,invoice}*`, in capitals or not. */
export function fits(name: string, pattern: string | undefined): boolean {
	return pattern === undefined || matchesGlob(name.toLowerCase(), pattern.toLowerCase());
}
