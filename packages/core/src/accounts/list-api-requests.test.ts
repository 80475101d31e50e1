import { randomUUID } from 'node:crypto';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { makeContext } from '../../test/arrange.ts';
import { storeApiRequests, type NewApiRequest } from '../audit/store-api-requests.ts';
import { countExpiredData, removeExpiredData } from '../retention/expired-data.ts';
import { createToken } from '../users/create-token.ts';
import { createUser } from '../users/create-user.ts';
import { listApiRequests, type ApiRequestFilters } from './list-api-requests.ts';

const database = useTestDatabase();
const DAY_MS = 86_400_000;
const NOTHING = { recordings: 0, transcripts: 0, callNumbers: 0, deliveries: 0, sipTraces: 0, consents: 0 };

async function setup() {
  const { ctx, clock } = makeContext(database.db);
  const add = async (role: 'member' | 'operator') => {
    const user = await createUser(ctx, { name: 'Ada', email: `${randomUUID()}@example.org`, role });
    const { id: tokenId } = await createToken(ctx, { userId: user.id, name: `Token of a ${role}` });
    return { user, tokenId };
  };
  const [member, operator] = [await add('member'), await add('operator')];
  const entry = (of: typeof member, fields: Partial<NewApiRequest> = {}): NewApiRequest => ({
    at: new Date(clock.now()),
    userId: of.user.id,
    tokenId: of.tokenId,
    method: 'GET',
    path: '/api/user/calls/:id',
    operation: 'calls.get',
    objectId: 7,
    status: 200,
    code: null,
    durationMs: 12,
    isComplete: true,
    requestId: randomUUID(),
    networkAddress: '192.0.2.1',
    count: 1,
    ...fields,
  });
  const listOf =
    ({ user, tokenId }: typeof member) =>
    (filters: Partial<ApiRequestFilters> = {}) =>
      listApiRequests(
        ctx,
        { userId: user.id, role: user.role, scopes: 'all', tokenId, timezone: 'UTC' },
        { perPage: 50, after: null, ...filters },
      );
  return { ctx, clock, member, operator, entry, ofMember: listOf(member), ofAll: listOf(operator) };
}

it('members see the requests of their own tokens, operators those of all users', async () => {
  const { ctx, member, operator, entry, ofMember, ofAll } = await setup();
  const own = entry(member);
  const other = entry(operator);
  await storeApiRequests(ctx, [own, other]);
  expect(await ofMember()).toEqual({
    next: null,
    rows: [
      {
        id: expect.any(Number) as number,
        at: expect.stringMatching(/Z$/) as string,
        user_id: member.user.id,
        user_email: member.user.email,
        token_id: member.tokenId,
        token_name: 'Token of a member',
        method: 'GET',
        path: '/api/user/calls/:id',
        operation: 'calls.get',
        object_id: 7,
        status: 200,
        code: null,
        duration_ms: 12,
        is_complete: true,
        request_id: own.requestId,
        network_address: '192.0.2.1',
        count: 1,
      },
    ],
  });
  expect((await ofMember({ userId: operator.user.id })).rows).toEqual([]);
  expect((await ofMember({ requestId: other.requestId })).rows).toEqual([]);
  const all = (await ofAll()).rows.map((row) => row.request_id);
  expect(all.slice(0, 2)).toEqual([other.requestId, own.requestId]);
});

it('filters select among them, and a page begins after the last entry of the one before', async () => {
  const { ctx, clock, member, entry, ofMember } = await setup();
  const startedAt = new Date(clock.now());
  const first = entry(member, { status: 404, code: 'not_found', objectId: null });
  const second = entry(member, {
    method: 'POST',
    path: '/api/user/lead',
    operation: 'leads.create',
    status: 201,
  });
  clock.advance(1000);
  const third = entry(member, { at: new Date(clock.now()), status: 500, code: 'server_error' });
  await storeApiRequests(ctx, [first, second, third]);
  const found = async (filters: Partial<ApiRequestFilters>) =>
    (await ofMember(filters)).rows.map((row) => row.request_id);
  const [a, b, c] = [first, second, third].map(({ requestId }) => requestId);
  expect(await found({})).toEqual([c, b, a]);
  expect(await found({ status: '2xx' })).toEqual([b]);
  expect(await found({ status: '4xx' })).toEqual([a]);
  expect(await found({ status: '5xx' })).toEqual([c]);
  expect(await found({ method: 'POST' })).toEqual([b]);
  expect(await found({ operation: 'leads' })).toEqual([b]);
  expect(await found({ operation: '/api/user/calls' })).toEqual([c, a]);
  expect(await found({ operation: '%' })).toEqual([]);
  expect(await found({ tokenId: member.tokenId })).toHaveLength(3);
  expect(await found({ tokenId: member.tokenId + 1 })).toEqual([]);
  expect(await found({ requestId: b })).toEqual([b]);
  expect(await found({ requestId: 'no id' })).toEqual([]);
  expect(await found({ from: new Date(clock.now()) })).toEqual([c]);
  expect(await found({ from: startedAt, to: new Date(clock.now()) })).toEqual([b, a]);
  const { rows, next } = await ofMember({ perPage: 2 });
  expect(rows.map((row) => row.request_id)).toEqual([c, b]);
  expect(next).toEqual([rows[1]?.id]);
  expect(await ofMember({ perPage: 2, after: next })).toMatchObject({
    rows: [{ request_id: a }],
    next: null,
  });
});

it('a batch that is sent twice is stored once, and entries of users who are gone are left out', async () => {
  const { ctx, member, entry, ofMember, ofAll } = await setup();
  const kept = entry(member);
  const orphan = entry(member, { userId: 999_999_999 });
  await storeApiRequests(ctx, [kept, orphan]);
  await storeApiRequests(ctx, [kept, orphan]);
  expect((await ofMember()).rows).toHaveLength(1);
  expect((await ofAll({ requestId: orphan.requestId })).rows).toEqual([]);
});

it('entries are removed when their period is over, and not before', async () => {
  const { ctx, clock, member, entry, ofMember } = await setup();
  const old = entry(member);
  clock.advance(10 * DAY_MS);
  const recent = entry(member);
  await storeApiRequests(ctx, [old, recent]);
  const kept = { ...NOTHING, auditEntries: 0 };
  expect(await removeExpiredData(ctx, { ...kept, apiRequests: 11 })).toMatchObject({ apiRequests: 0 });
  expect((await countExpiredData(ctx, { ...kept, apiRequests: 9 })).apiRequests).toBeGreaterThanOrEqual(1);
  await removeExpiredData(ctx, { ...kept, apiRequests: 9 });
  expect((await ofMember()).rows.map((row) => row.request_id)).toEqual([recent.requestId]);
});
