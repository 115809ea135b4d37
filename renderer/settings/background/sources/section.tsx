import { useEffect } from 'react';
import { Link } from 'wouter';
import { shapeOf } from '../../../connection/index.ts';
import { useHeartbeat, useSources } from '../../../shell/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/note.tsx';
import { useSay } from '../../../ui/strings.tsx';
import { SectionHead } from '../../row.tsx';
import { ADD_BUTTON, BACKGROUND } from '../place.ts';
import { AddSource } from './add-dialog.tsx';
import { SourceRow } from './source-row.tsx';
import { askToAddSource, closeAdding, useSourcesUi } from './sources-ui-store.ts';

/** What background work reads, and how that goes. */
export function SourcesSection() {
	const say = useSay();
	const { data, error } = useSources();
	const on = useHeartbeat().data?.on;
	const adding = useSourcesUi((state) => state.adding);
	const sources = data?.sources;
	// Who leaves this screen adds nothing any more.
	useEffect(() => closeAdding, []);
	return (
		<section>
			<SectionHead title={say('settings.sources')} lead={say('sources.lead')} />
			{error ? <ErrorNote error={shapeOf(error)} /> : null}
			<h3>
				{say('sources.list')}
				<Button id={ADD_BUTTON} icon="plus" onClick={askToAddSource}>
					{say('sources.add')}
				</Button>
			</h3>
			{sources?.length === 0 ? <p className="meta">{say('sources.none')}</p> : null}
			{sources && sources.length > 0 ? (
				<>
					{on === false ? (
						<p className="meta">
							{say('sources.offNote')}{' '}
							<Link className="lnk" href={BACKGROUND}>
								{say('sources.offLink')}
							</Link>
						</p>
					) : null}
					<div className="tbl">
						{sources.map((source) => (
							<SourceRow key={source.id} source={source} />
						))}
					</div>
				</>
			) : null}
			{adding ? <AddSource onClose={closeAdding} /> : null}
		</section>
	);
}
