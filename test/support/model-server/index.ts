export { calls, fails, pieces, Reply, Script, Step, says } from './script.ts';
export { type Flush, type ModelServer, type RecordedRequest, type ServerLog, startModelServer } from './server.ts';
