import { useMemo } from 'react';
import type { Message } from '../../../src/domain/message.ts';
import type { Interrupt } from '../../../src/domain/run.ts';
import { useTranscripts } from '../../connection/transcripts-store.ts';

const NONE: Readonly<Record<string, Interrupt>> = {};
const NO_ORDER: readonly never[] = [];

export function useMessage(sessionId: string, messageId: string): Message | undefined {
	return useTranscripts((state) => state.bySession[sessionId]?.transcript.byId[messageId]);
}

export function useOrder(sessionId: string) {
	return useTranscripts((state) => state.bySession[sessionId]?.transcript.order ?? NO_ORDER);
}

/** What a run waits for, oldest first. */
export function useOpenInterrupts(sessionId: string, runId: string | null): Interrupt[] {
	const interrupts = useTranscripts((state) => state.bySession[sessionId]?.transcript.interrupts ?? NONE);
	return useMemo(
		() =>
			Object.values(interrupts)
				.filter((interrupt) => interrupt.runId === runId && interrupt.status === 'open')
				.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
		[interrupts, runId],
	);
}

export function useLastMessage(sessionId: string): Message | undefined {
	return useTranscripts((state) => {
		const transcript = state.bySession[sessionId]?.transcript;
		const last = transcript?.order.at(-1);
		return last ? transcript?.byId[last] : undefined;
	});
}
