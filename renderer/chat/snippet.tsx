import { Fragment } from 'react';
import { MATCH_END, MATCH_START } from '../../src/contract/methods/sessions.ts';

/** A search hit's text with its matches marked. */
export function Snippet({ text }: { text: string }) {
	return text.split(MATCH_START).map((piece, index) => {
		const end = piece.indexOf(MATCH_END);
		if (index === 0 || end < 0) return <Fragment key={index.toString()}>{piece}</Fragment>;
		return (
			<Fragment key={index.toString()}>
				<mark className="quote">{piece.slice(0, end)}</mark>
				{piece.slice(end + MATCH_END.length)}
			</Fragment>
		);
	});
}
