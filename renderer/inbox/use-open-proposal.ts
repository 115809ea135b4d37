import { useCallback, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ProposalId } from '../../src/domain/memory.ts';
import { change, useInboxUi } from './inbox-ui-store.ts';
import { INBOX, proposalPlace } from './place.ts';

/** Least time between two addresses, in milliseconds: a browser takes few changes of it, and a held key would make more. */
const ADDRESS_MS = 300;

interface OpenProposal {
	/** The proposal that is open: the address names it, or will in a moment. */
	readonly proposalId: ProposalId | undefined;
	open(id: string): void;
	/** Without an id: none is open any more. What is open now is not gone back to. */
	openNow(id: string | undefined): void;
}

/** `addressId`: the proposal that the address names. */
export function useOpenProposal(addressId: ProposalId | undefined): OpenProposal {
	const [, navigate] = useLocation();
	const aheadId = useInboxUi((state) => state.aheadId);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	const last = useRef(0);
	const proposalId = aheadId ?? addressId;
	const isOpen = proposalId !== undefined;
	const openNow = useCallback(
		(id: string | undefined, replace = true): void => {
			clearTimeout(timer.current);
			last.current = performance.now();
			change({ aheadId: null });
			navigate(id === undefined ? INBOX : proposalPlace(id), { replace });
		},
		[navigate],
	);
	const open = useCallback(
		(id: string): void => {
			clearTimeout(timer.current);
			const wait = last.current + ADDRESS_MS - performance.now();
			if (wait <= 0) {
				openNow(id, isOpen);
				return;
			}
			useInboxUi.setState({ aheadId: id as ProposalId });
			timer.current = setTimeout(() => openNow(id, isOpen), wait);
		},
		[openNow, isOpen],
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the address led elsewhere by itself, or the screen is left
	useEffect(() => {
		const clear = (): void => {
			clearTimeout(timer.current);
			change({ aheadId: null });
		};
		return clear;
	}, [addressId]);
	return { proposalId, open, openNow };
}
