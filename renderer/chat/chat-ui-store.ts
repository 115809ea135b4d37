import { create } from 'zustand';

interface Target {
	readonly sessionId: string;
	readonly messageId: string;
	readonly turn: number;
	/** The passage that led there, marked as a whole instead of `words`. */
	readonly quote: string | undefined;
}

/** What the chat screen itself knows: nothing of it is kept by the runtime. */
export interface ChatUi {
	/** The list of chats shows instead of the conversation in a narrow window. */
	readonly listOpen: boolean;
	/** The list is hidden in a wide window. */
	readonly listHidden: boolean;
	readonly searching: boolean;
	readonly renaming: string | null;
	readonly deleting: string | null;
	readonly finding: boolean;
	/** The message being edited in place. */
	readonly editing: string | null;
	/** The message that a search or a link led to; `turn` grows with each jump, also to the same message. */
	readonly target: Target | null;
	/** Words to mark in the message that was jumped to. */
	readonly words: string;
}

export const useChatUi = create<ChatUi>()(() => ({
	listOpen: false,
	listHidden: false,
	searching: false,
	renaming: null,
	deleting: null,
	finding: false,
	editing: null,
	target: null,
	words: '',
}));

export function jumpTo(sessionId: string, messageId: string, quote?: string): void {
	useChatUi.setState((state) => ({ target: { sessionId, messageId, quote, turn: (state.target?.turn ?? 0) + 1 } }));
}
