import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { HearthClient } from '../../src/contract/contract.ts';
import type { DocumentName, Settings } from '../../src/contract/methods/profile.ts';
import type { EntryId, ProposalId } from '../../src/domain/memory.ts';
import { call, useConnection } from '../connection/index.ts';
import { useThrottled } from '../inbox/use-throttled.ts';
import { LiveQueries } from './live-queries.ts';
import { keepProposals, type ProposalList, readProposals, recountProposals } from './proposals.ts';
import { applyTheme } from './theme.ts';

export const queryClient = new LiveQueries({
	defaultOptions: {
		queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
		mutations: { retry: false, networkMode: 'always' },
	},
});

const read = <T>(work: (client: HearthClient) => Promise<T>): (() => Promise<T>) => {
	return () => call(work, { repeatable: true });
};

/** Least time between two questions about tasks: there may be thousands of them, and their runs come and go. */
const TASKS_APART_MS = 400;

/** Asks again for what a live event says has changed. Mounted once. */
export function useInvalidation(): void {
	const client = useQueryClient();
	const { models, config, secrets, memory, actions, runs, workflows, servers, skills, reminders, permissions, sources, heartbeat, tasks } =
		useConnection((state) => state.revision);
	useEffect(() => {
		if (models > 0) void client.invalidateQueries({ queryKey: ['models'] });
	}, [client, models]);
	useEffect(() => {
		if (config > 0) void client.invalidateQueries({ queryKey: ['config'] });
	}, [client, config]);
	useEffect(() => {
		if (secrets > 0) void client.invalidateQueries({ queryKey: ['secrets'] });
	}, [client, secrets]);
	useEffect(() => {
		if (memory > 0) void client.invalidateQueries({ queryKey: ['memory'] });
	}, [client, memory]);
	useEffect(() => {
		if (actions > 0) void client.invalidateQueries({ queryKey: ['inbox', 'actions'] });
	}, [client, actions]);
	useEffect(() => {
		const kept = keepProposals(client);
		const recounted = recountProposals(client);
		return () => {
			kept();
			recounted();
		};
	}, [client]);
	useEffect(() => {
		if (runs > 0) void client.invalidateQueries({ queryKey: ['runs'] });
	}, [client, runs]);
	useEffect(() => {
		if (workflows > 0) void client.invalidateQueries({ queryKey: ['workflows'] });
	}, [client, workflows]);
	useEffect(() => {
		if (servers > 0) void client.invalidateQueries({ queryKey: ['servers'] });
	}, [client, servers]);
	useEffect(() => {
		if (permissions > 0) void client.invalidateQueries({ queryKey: ['permissions'] });
	}, [client, permissions]);
	useEffect(() => {
		if (skills > 0) void client.invalidateQueries({ queryKey: ['skills', 'list'] });
	}, [client, skills]);
	useEffect(() => {
		if (reminders > 0) void client.invalidateQueries({ queryKey: ['reminders'] });
	}, [client, reminders]);
	useEffect(() => {
		if (sources > 0) void client.invalidateQueries({ queryKey: ['sources'] });
	}, [client, sources]);
	useEffect(() => {
		// What it waits for is told by these, too.
		if (heartbeat + sources + config + models > 0) void client.invalidateQueries({ queryKey: ['heartbeat'] });
	}, [client, heartbeat, sources, config, models]);
	const tasksApart = useThrottled(tasks, TASKS_APART_MS);
	useEffect(() => {
		if (tasksApart > 0) void client.invalidateQueries({ queryKey: ['tasks'] });
	}, [client, tasksApart]);
}

/** What lies in the folder `skills/`. */
export function useSkills() {
	return useQuery({ queryKey: ['skills', 'list'], queryFn: read((client) => client.skills.list()), staleTime: 0 });
}

/** Coming and due ones, by time. */
export function useReminders() {
	return useQuery({ queryKey: ['reminders', 'open'], queryFn: read((client) => client.reminders.list({})) });
}

export function useProviders() {
	return useQuery({ queryKey: ['models', 'providers'], queryFn: read((client) => client.models.providers({ refresh: false })) });
}

/** Looks at every address again. */
export function useLookAgain() {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: () => call((client) => client.models.providers({ refresh: true }), { repeatable: true }),
		onSuccess: (providers) => queries.setQueryData(['models', 'providers'], providers),
	});
}

export function useChoices() {
	return useQuery({ queryKey: ['models', 'choices'], queryFn: read((client) => client.models.choices()) });
}

export function useSettings() {
	return useQuery({ queryKey: ['config', 'settings'], queryFn: read((client) => client.settings.get()) });
}

/** Shows the owner's theme; mounted once by each kind of window. */
export function useThemeSetting(): void {
	const theme = useSettings().data?.theme;
	useEffect(() => {
		if (theme) applyTheme(theme);
	}, [theme]);
}

export function useSaveSettings() {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (change: Partial<Settings>) => call((client) => client.settings.set(change), { repeatable: true }),
		onSuccess: (settings) => queries.setQueryData(['config', 'settings'], settings),
	});
}

export function useProfiles() {
	return useQuery({ queryKey: ['profiles'], queryFn: read((client) => client.profiles.list()) });
}

export function useDocument(name: DocumentName) {
	return useQuery({ queryKey: ['documents', name], queryFn: read((client) => client.documents.get({ name })), staleTime: 0 });
}

export function useSecretStatus() {
	return useQuery({ queryKey: ['secrets', 'status'], queryFn: read((client) => client.secrets.status()) });
}

/** The report of `doctor`: `fast` leaves out the integrity check of a big database. */
export function useDoctor() {
	return useQuery({ queryKey: ['doctor'], queryFn: read((client) => client.system.doctor({ fast: false })), staleTime: 0, gcTime: 0 });
}

/** The memory files with their headings, conflicts, and how the index stands. */
export function useMemoryFiles(enabled = true) {
	return useQuery({ queryKey: ['memory', 'files'], queryFn: read((client) => client.memory.files()), enabled });
}

/** One entry as it is now. Fails with `not_found` where it was forgotten. */
export function useMemoryEntry(entryId: EntryId | undefined) {
	return useQuery({
		queryKey: ['memory', 'entry', entryId],
		queryFn: () => call((client) => client.memory.entry({ entryId: entryId as EntryId }), { repeatable: true }),
		enabled: entryId !== undefined,
		staleTime: 0,
	});
}

/** What waits for the owner, oldest first; what comes back later; or what they decided, newest first. Kept as events tell it. */
export function useProposals(which: ProposalList) {
	return useQuery({ queryKey: ['inbox', 'list', which], queryFn: () => readProposals(which) });
}

export function useProposal(proposalId: ProposalId | undefined) {
	return useQuery({
		queryKey: ['inbox', 'proposal', proposalId],
		queryFn: () => call((client) => client.inbox.get({ proposalId: proposalId as ProposalId }), { repeatable: true }),
		enabled: proposalId !== undefined,
		staleTime: 0,
	});
}

/** What runs of all chats wait for, oldest first. */
export function useActionsWaiting() {
	return useQuery({ queryKey: ['inbox', 'actions'], queryFn: read((client) => client.chat.interrupts({})), staleTime: 0 });
}

/** Which model turns text into vectors. */
export function useEmbedding() {
	return useQuery({ queryKey: ['config', 'embedding'], queryFn: read((client) => client.memory.embedding()) });
}

/** How background work stands: on or off, what holds it, what waits. */
export function useHeartbeat(more: { staleTime?: number } = {}) {
	return useQuery({ queryKey: ['heartbeat', 'status'], queryFn: read((client) => client.heartbeat.status()), ...more });
}

/** The newest looks, newest first. */
export function useLooks(limit: number) {
	return useQuery({ queryKey: ['heartbeat', 'looks', limit], queryFn: read((client) => client.heartbeat.ticks({ limit })), staleTime: 0 });
}

/** What background work reads. */
export function useSources() {
	return useQuery({ queryKey: ['sources', 'list'], queryFn: read((client) => client.sources.list()), staleTime: 0 });
}
