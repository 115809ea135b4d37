import { useEffect } from 'react';

/** What the keys A and R do to an action that is shown whole: no other can be decided by them. */
export interface ApprovalKeys {
	readonly approve: () => void;
	readonly reject: () => void;
}

const shown = new Map<string, ApprovalKeys>();

export function approvalKeys(interruptId: string | undefined): ApprovalKeys | undefined {
	return interruptId === undefined ? undefined : shown.get(interruptId);
}

export function useApprovalKeys(interruptId: string, keys: ApprovalKeys): void {
	useEffect(() => {
		shown.set(interruptId, keys);
		return () => {
			shown.delete(interruptId);
		};
	});
}
