/**
 * Authorisation of every endpoint of the contract: a valid token, its scope and the role of its user are required. They
 * are checked before anything else, and a refused request changes nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorText, scopes, type Scope } from '@parley/contracts';
import { createToken } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { pathWithRows, startWorld, userOf, type World } from './asking.ts';
import { contractRoutes, shareOf, type ContractRoute } from './contract-routes.ts';
import { databaseState } from './database-state.ts';
import type { TestRequest } from '../live-api.ts';

const database = useTestDatabase();
let world: World;

beforeAll(async () => {
  world = await startWorld({ db: database.db });
});

afterAll(() => world.stop());

const revoke = statement('', 'update api_tokens set revoked_at = $2 where id = $1');

async function tokenOf(userId: number, facts: { scopes?: Scope[]; expiresAt?: Date } = {}) {
  return createToken(world.live.core, { userId, name: 'Narrow', ...facts });
}

/** An hour ago. */
const past = (): Date => new Date(world.live.core.clock.now() - 3_600_000);

const strangers: Record<string, (userId: number) => Promise<TestRequest>> = {
  'no token': async () => ({ token: null }),
  'a token that was never issued': async () => ({ token: `parley_${'x'.repeat(40)}` }),
  'an empty token': async () => ({ token: null, headers: { authorization: 'Bearer ' } }),
  'another scheme': async (userId) => ({
    token: null,
    headers: { authorization: `Basic ${(await tokenOf(userId)).token}` },
  }),
  'a revoked token': async (userId) => {
    const { id, token } = await tokenOf(userId);
    await world.live.core.db.query(revoke, [id, past()]);
    return { token };
  },
  'an expired token': async (userId) => ({ token: (await tokenOf(userId, { expiresAt: past() })).token }),
};

/** An invalid body: authorisation is checked first. */
const wrongBody = ({ method }: ContractRoute): TestRequest =>
  method === 'GET' ? { method } : { method, body: '{"broken":' };

describe.each(shareOf(contractRoutes, 4))('$id', (route) => {
  test('answers 401 without a valid token', async () => {
    const person = userOf(world, route);
    const path = await pathWithRows(world.live, route, person);
    const requests: [string, TestRequest][] = [];
    for (const [name, make] of Object.entries(strangers)) requests.push([name, await make(person.userId)]);
    const before = await databaseState(database.db);
    for (const [name, stranger] of requests) {
      const answer = await world.live.ask(path, { ...wrongBody(route), ...stranger });
      expect(answer.status, name).toBe(401);
      expect(answer.body, name).toEqual({ message: 'Unauthenticated.' });
      expect(answer.headers.get('www-authenticate'), name).toBe('Bearer');
      expect(answer.headers.get('x-request-id'), name).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await databaseState(database.db)).toEqual(before);
  });

  test('requires its scope and no other', async () => {
    const { scope } = route.facts;
    const person = userOf(world, route);
    const path = await pathWithRows(world.live, route, person);
    const without = await tokenOf(person.userId, { scopes: scopes.filter((other) => other !== scope) });
    const just = await tokenOf(person.userId, { scopes: scope === null ? ['read'] : [scope] });
    const before = await databaseState(database.db);
    const refused = await world.live.ask(path, { ...wrongBody(route), token: without.token });
    if (scope === null) expect(refused.status).not.toBe(403);
    else expect(refused).toMatchObject({ status: 403, body: { message: errorText.missingScope(scope) } });
    const allowed = await world.live.ask(path, { ...wrongBody(route), token: just.token });
    expect([401, 403, 404, 405]).not.toContain(allowed.status);
    expect(await databaseState(database.db)).toEqual(before);
  });
});

test.each(contractRoutes.filter(({ facts }) => facts.role))(
  '$id needs the role that it names',
  async (route) => {
    const path = await pathWithRows(world.live, route, world.operator);
    const before = await databaseState(database.db);
    const refused = await world.live.ask(path, { ...wrongBody(route), token: world.member.token });
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({ message: errorText.missingRole(route.facts.role ?? '') });
    expect(await databaseState(database.db)).toEqual(before);
  },
);
