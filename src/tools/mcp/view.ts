import type { ServerId, ServerTool } from '../../domain/tool-server.ts';
import { inspect } from '../../firewall/inspect/inspect.ts';
import { modelName } from './names.ts';
import { type Pin, pinState, saysReadOnly } from './pins.ts';

/** A tool as the owner looks at it. */
export function serverToolView(server: ServerId, pin: Pin, problem: string | undefined): ServerTool {
	const { tool, offered, offeredHash, approved, readOnly, changedAt } = pin;
	return {
		tool,
		name: modelName(server, tool),
		state: pinState(pin, problem),
		readOnly,
		saysReadOnly: saysReadOnly(offered ?? approved),
		inspection: inspect(wordsOf(pin)),
		changedAt,
		...(offeredHash !== undefined && { shownHash: offeredHash }),
		...(offered && { offered }),
		...(approved && { approved }),
		...(problem !== undefined && { problem }),
	};
}

/** All that the server says of it, as one text: its name, its description, and what stands in its schemas. Offsets of flags are those of this text. */
export function wordsOf({ offered, approved }: Pick<Pin, 'offered' | 'approved'>): string {
	const offer = offered ?? approved;
	if (!offer) return '';
	const { description, ...rest } = offer;
	return `${description}\n${JSON.stringify(rest, null, 2)}`;
}
