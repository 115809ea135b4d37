import type { DoctorReport } from '../../src/contract/methods/system.ts';
import { shapeOf, shell, useConnection } from '../connection/index.ts';
import { runCommand } from '../shell/commands.ts';
import { useDoctor } from '../shell/queries.ts';
import { useShellInfo } from '../shell/shell-info.ts';
import { Button } from '../ui/button.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { formatBytes, useSay } from '../ui/strings.tsx';
import { Row, SectionHead } from './row.tsx';

const CHECK_STATE = { ok: 'done', warning: 'alert', failed: 'failed' } as const;

/** What is running, where things are, and whether all is well: the same report as `doctor` on the command line. */
export function AboutSection() {
	const say = useSay();
	const version = useConnection((state) => state.hello?.version ?? '');
	const doctor = useDoctor();
	const report = doctor.data;
	return (
		<section>
			<SectionHead title={say('settings.about')} lead={say('about.lead', { version })} />
			<h3>
				{say('about.diagnostics')}
				<span className="h-acts">
					{shell ? (
						<Button kind="ghost" icon="folder" onClick={() => runCommand('open_folder')}>
							{say('about.openFolder')}
						</Button>
					) : null}
					<Button icon="save" onClick={() => runCommand('save_diagnostics')}>
						{say('about.save')}
					</Button>
					<Button icon="redo" busy={doctor.isFetching} onClick={() => void doctor.refetch()}>
						{say('about.runAgain')}
					</Button>
				</span>
			</h3>
			<p className="meta set-lead">{say('about.saveHint')}</p>
			{doctor.error ? <ErrorNote error={shapeOf(doctor.error)} /> : null}
			<div role="status" className="about-sum">
				{report ? <Summary report={report} /> : doctor.isFetching ? say('about.checking') : null}
			</div>
			{report ? <Report report={report} /> : null}
		</section>
	);
}

function Summary({ report }: { report: DoctorReport }) {
	const say = useSay();
	const failed = report.checks.filter((check) => check.state === 'failed').length;
	const warnings = report.checks.filter((check) => check.state === 'warning').length;
	if (failed > 0) return <StateMark state="failed">{say('about.someFailed', { count: failed })}</StateMark>;
	if (warnings > 0) return <StateMark state="alert">{say('about.someWarnings', { count: warnings })}</StateMark>;
	return <StateMark state="done">{say('about.allWell')}</StateMark>;
}

function Report({ report }: { report: DoctorReport }) {
	const say = useSay();
	const shellInfo = useShellInfo();
	const runtime = report.electronRuntime ?? shellInfo?.runtime;
	const facts = (pairs: [string, string][]) =>
		pairs.map(([name, value]) => (
			<div key={name}>
				<dt>{name}</dt>
				<dd>{value}</dd>
			</div>
		));
	return (
		<>
			<div className="tbl">
				{report.checks.map((check) => (
					<Row key={check.id} title={check.title} hint={[check.detail, check.action].filter(Boolean).join(' ')}>
						<StateMark state={CHECK_STATE[check.state]}>{say(`about.check.${check.state}`)}</StateMark>
					</Row>
				))}
			</div>
			<h3>{say('about.versions')}</h3>
			<dl className="facts">
				{facts([
					...Object.entries(report.versions),
					[say('about.schema'), String(report.schemaVersion)],
					[say('about.hostMode'), say(`about.host.${report.hostMode}`)],
					...(runtime ? [[say('about.runtime'), runtime] as [string, string]] : []),
				])}
			</dl>
			<h3>{say('about.paths')}</h3>
			<dl className="facts">{facts(Object.entries(report.paths))}</dl>
			<h3>{say('about.sizes')}</h3>
			<dl className="facts">{facts(Object.entries(report.sizes).map(([name, bytes]) => [name, formatBytes(say, bytes)]))}</dl>
		</>
	);
}
