import type { Transport } from '../../src/contract/transport.ts';
import { webSocketTransport } from '../../src/contract/websocket-transport.ts';
import { terminal } from '../../src/domain/errors.ts';
import type { Dialler } from './dial-port.ts';

/** In a browser: a WebSocket to the server that this page came from. */
export function webDialler(_location: Location, _storage: Storage): Dialler {
	return {
		dial: async (): Promise<Transport> => {
			throw terminal('unauthorised', 'not yet');
		},
		onBetter: () => {},
	};
}
void webSocketTransport;
