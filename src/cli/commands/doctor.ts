import { formatReport } from '../../app/diagnostics.ts';
import { examine } from '../../app/doctor.ts';
import { profilePaths } from '../../app/profile-folder.ts';
import type { DoctorReport } from '../../contract/methods/system.ts';
import { toErrorShape } from '../../domain/errors.ts';
import { openDoor } from '../door.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output.ts';

/** Never fails for what it finds: a runtime that can't start is a finding, too. */
export async function doctor(options: { profileFolder: string; output: Output; fast: boolean }): Promise<number> {
	const report = await examineProfile(options.profileFolder, options.fast);
	options.output.result(report, formatReport(report));
	return report.ok ? EXIT.ok : EXIT.failed;
}

async function examineProfile(profileFolder: string, fast: boolean): Promise<DoctorReport> {
	try {
		const door = await openDoor({ profileFolder, takeUpRuns: false });
		try {
			return await door.rpc.system.doctor({ fast });
		} finally {
			await door.leave();
		}
	} catch (error) {
		const paths = profilePaths(profileFolder);
		return examine({ paths, hostMode: 'command-line', shellVersions: {}, ownsLock: false, startProblem: toErrorShape(error) }, fast);
	}
}
