import { runHost } from './host-entry.ts';

runHost();
