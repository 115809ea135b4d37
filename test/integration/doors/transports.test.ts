import { describeContract } from '../../spec/live.ts';
import { describeTransport } from '../../spec/transport.ts';
import { TRANSPORTS } from '../../support/transport-pairs.ts';

for (const [name, open] of Object.entries(TRANSPORTS)) {
	describeTransport(name, open);
	describeContract(name, open);
}
