export { calls, fails, pieces, Reply, says } from './script.ts';
export { type ModelServer, type RecordedRequest, startModelServer } from './server.ts';
