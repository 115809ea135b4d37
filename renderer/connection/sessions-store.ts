import { create } from 'zustand';
import type { SessionSummary } from '../../src/contract/shapes.ts';

export interface SessionsState {
	readonly byId: Readonly<Record<string, SessionSummary>>;
	/** False until the first list arrived. */
	readonly loaded: boolean;
}

export const useSessions = create<SessionsState>()(() => ({ byId: {}, loaded: false }));

export function putSessions(sessions: readonly SessionSummary[]): void {
	const byId: Record<string, SessionSummary> = {};
	for (const session of sessions) byId[session.id] = session;
	useSessions.setState({ byId, loaded: true });
}

export function putSession(session: SessionSummary): void {
	useSessions.setState((state) => ({ byId: { ...state.byId, [session.id]: session } }));
}

export function dropSession(sessionId: string): void {
	useSessions.setState((state) => {
		const { [sessionId]: _gone, ...byId } = state.byId;
		return { byId };
	});
}
