import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ServerId } from '../../../src/domain/tool-server.ts';
import { startSignInServer } from '../../support/mcp/sign-in-server.ts';
import { testServers } from '../../support/mcp/tool-servers.ts';
import { startHttpFixture } from '../../support/mcp-fixture.ts';

const FIXTURE = ServerId.parse('fixture');
const REDIRECT = 'http://127.0.0.1:54321/signed-in';

/** A tool server that wants to be signed in to. */
async function guarded() {
	const fixture = await startHttpFixture();
	const authority = await startSignInServer(() => fixture.url);
	fixture.before = (request, response) => authority.guard(request, response);
	const parts = await testServers();
	const config = { id: 'fixture', title: 'Fixture', transport: { kind: 'http', url: fixture.url } };
	await parts.configure(config);
	await parts.until('fixture', 'needs_sign_in');
	const signIn = async () => {
		const address = await parts.servers.beginSignIn(FIXTURE, REDIRECT);
		const back = await authority.agree(address);
		await parts.servers.finishSignIn(FIXTURE, back.searchParams);
		await parts.until('fixture', 'connected');
	};
	return { ...parts, fixture, authority, config, signIn };
}

async function signedIn() {
	const parts = await guarded();
	await parts.signIn();
	await vi.waitFor(() => expect(parts.servers.pinned.viewOf(FIXTURE)).toHaveLength(2));
	parts.approveAll('fixture');
	return parts;
}

test('S3 the owner signs in with a server that says where: registered, with PKCE; tokens lie in the secret store and nowhere else', async () => {
	const { call, fixture, authority, secrets, folder, learnt, entries, servers } = await signedIn();
	fixture.text = 'for those who signed in';
	expect((await call('mcp_fixture_hand_back')).text).toBe('for those who signed in');
	expect(authority.seen.registrations).toBe(1);
	expect(await servers.isSignedIn(FIXTURE)).toBe(true);
	expect(await secrets.names()).toEqual(['server:fixture:sign-in']);
	const database = readFileSync(join(folder, 'state.db'), 'latin1') + readFileSync(join(folder, 'state.db-wal'), 'latin1');
	for (const token of authority.seen.tokens) {
		expect(database).not.toContain(token);
		expect(JSON.stringify(entries)).not.toContain(token);
		expect(learnt).toContain(token);
	}
});

test('S3 an answer with another state, an answer to no sign-in, and one that was used already are refused', async () => {
	const { servers, authority, signIn } = await guarded();
	await expect(servers.finishSignIn(FIXTURE, new URLSearchParams({ code: 'x', state: 'y' }))).rejects.toThrow('is under way');
	const back = await authority.agree(await servers.beginSignIn(FIXTURE, REDIRECT));
	const forged = new URLSearchParams(back.searchParams);
	forged.set('state', 'forged');
	await expect(servers.finishSignIn(FIXTURE, forged)).rejects.toThrow('not the answer to this sign-in');
	// It is not over for that: whoever forges an answer does not end the owner's sign-in.
	const mixed = new URLSearchParams(back.searchParams);
	mixed.set('iss', 'https://evil.example');
	await expect(servers.finishSignIn(FIXTURE, mixed)).rejects.toThrow();
	await expect(servers.finishSignIn(FIXTURE, back.searchParams)).rejects.toThrow('is under way');
	expect(servers.stateOf(FIXTURE)).toEqual({ kind: 'needs_sign_in' });
	await signIn();
});

test('a token that ran out is refreshed once for all who wait, and one that is about to before it is used', async () => {
	const { call, authority, fixture } = await signedIn();
	authority.expire();
	await Promise.all([call('mcp_fixture_hand_back'), call('mcp_fixture_record', { note: 'a' }), call('mcp_fixture_record', { note: 'b' })]);
	expect(authority.seen.refreshes).toBe(1);
	expect(fixture.calls).toHaveLength(2);
	authority.lifeSeconds = 5;
	authority.expire();
	await call('mcp_fixture_hand_back');
	const before = authority.seen.refreshes;
	await call('mcp_fixture_hand_back');
	expect(authority.seen.refreshes).toBeGreaterThan(before);
});

test('where nothing helps, the owner is asked to sign in again', async () => {
	const { call, authority, servers, until, signIn } = await signedIn();
	authority.revoke();
	await expect(call('mcp_fixture_hand_back')).rejects.toThrow('wants you to sign in');
	await until('fixture', 'needs_sign_in');
	expect(servers.offered()).toEqual([]);
	await signIn();
	// Registered for the same place already.
	expect(authority.seen.registrations).toBe(1);
	expect((await call('mcp_fixture_hand_back')).text).toBe('nothing');
});

test('signing out forgets tokens and registration', async () => {
	const { servers, secrets, until } = await signedIn();
	await servers.signOut(FIXTURE);
	await until('fixture', 'needs_sign_in');
	expect(await secrets.names()).toEqual([]);
	expect(await servers.isSignedIn(FIXTURE)).toBe(false);
});

test('S2 a server on the network can’t name an address of this machine to sign in at, nor one that is not safe', async () => {
	const { signInFetch } = await import('../../../src/tools/mcp/sign-in-fetch.ts');
	const { createGuardedFetch } = await import('../../../src/net/guarded-fetch.ts');
	let reached = false;
	const inside = await startHttpFixture();
	inside.before = () => {
		reached = true;
		return false;
	};
	const fetch = signInFetch(createGuardedFetch(), 'https://tools.example/mcp');
	await expect(fetch(inside.url)).rejects.toMatchObject({ code: 'network_denied' });
	await expect(fetch('http://169.254.169.254/latest')).rejects.toMatchObject({ code: 'network_denied' });
	await expect(fetch('http://192.168.0.1/')).rejects.toMatchObject({ code: 'network_denied' });
	expect(reached).toBe(false);
	await inside.close();
});
