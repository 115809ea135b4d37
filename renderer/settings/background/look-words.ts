import type { HeartbeatTick } from '../../../src/domain/heartbeat.ts';
import type { Say } from '../../ui/strings.tsx';

/** In numbers what it read and found; first of all why it could not. */
export function lookWords(
	say: Say,
	{ why, note, items, sources, failedSources, findings, known, overCap, dropped, outcome }: HeartbeatTick,
): string {
	const read = say('background.look.read', { items, sources });
	const parts = [
		...(sources > 0 ? [read] : []),
		...(outcome === 'done' || findings > 0 ? [say('background.look.found', { count: findings })] : []),
		...(known > 0 ? [say('background.look.known', { count: known })] : []),
		...(overCap > 0 ? [say('background.look.overCap', { count: overCap })] : []),
		...(dropped > 0 ? [say('background.look.dropped', { count: dropped })] : []),
		...(failedSources > 0 ? [say('background.look.failedSources', { count: failedSources })] : []),
	].join(', ');
	const numbers = parts === '' ? '' : `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`;
	return [why, numbers, note].filter(Boolean).join(' ');
}
