import { shapeOf } from '../../connection/index.ts';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { usePolicy } from './queries.ts';

/** The rules that decide, in their order. */
export function Policy() {
	const say = useSay();
	const policy = usePolicy();
	const { data } = policy;
	return (
		<>
			<h3>{say('permissions.policyTitle')}</h3>
			{policy.error ? <ErrorNote error={shapeOf(policy.error)} /> : null}
			{data ? (
				<>
					<p className="meta break">{say('permissions.policyLead', { path: data.path })}</p>
					{data.problem === undefined ? null : (
						<Note tone="ask">
							<p className="break">{data.problem}</p>
						</Note>
					)}
					<details className="advanced">
						<summary>{say('permissions.policyShow', { count: data.rules.length })}</summary>
						<ol className="rules">
							{data.rules.map(({ id, covers, verdict, reason, origin }) => (
								<li key={`${origin}:${id}`}>
									<p>
										<b>{say(`permissions.verdict.${verdict}`)}</b> {covers}
									</p>
									<p className="meta">
										{reason} <code>{id}</code> · {say(`permissions.origin.${origin}`)}
									</p>
								</li>
							))}
						</ol>
					</details>
				</>
			) : null}
		</>
	);
}
