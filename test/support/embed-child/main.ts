import { silentLogger } from '../../../src/base/logger.ts';
import { createEmbeddedPort } from '../../../src/embed/adapters/embedded.ts';

/** A process that ends with status 7, as many milliseconds after it began to embed as its argument says. */
const port = createEmbeddedPort({ logger: silentLogger });
await port.embed(['warm'], 'query');
const texts = Array.from({ length: 200 }, (_, at) => `word ${at} `.repeat(100));
port.embed(texts, 'document').catch(() => process.exit(1));
setTimeout(() => process.exit(7), Number(process.argv[2]));
