/** Every write of the contract leaves one entry in the audit log, unless it is listed here. */
import { api, keyingOf, routesOf } from '@parley/contracts';
import { listAuditLog } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import type { Request } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';
import { signInOperator } from '../../test/signed-in.ts';
import { audited } from './audited-handler.ts';

/** What they create has its own record, with its time. */
const WITHOUT_ENTRY = [
  'assistants.generateReply',
  'calls.evaluate',
  'calls.make',
  'calls.makeStream',
  'leads.create',
  'sms.send',
  'writtenConversations.generateReply',
  'writtenConversations.create',
  'writtenConversations.write',
  'sipTrunks.diagnose',
];

const database = useTestDatabase();
let live: LiveApi;
beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});
afterAll(() => live.stop());

const entries = async (operation: string) => {
  const identity = { userId: 0, role: 'operator', scopes: 'all', tokenId: null, timezone: 'UTC' } as const;
  const { rows } = await listAuditLog(live.core, identity, { page: 1, perPage: 100, operation });
  return rows.filter((row) => row.operation === operation);
};

const WRITES = routesOf(api).filter(({ route }) => keyingOf(route) !== 'none');
test.each(WRITES.map(({ group, name, route }) => ({ operation: `${group}.${name}`, route })))(
  '$operation',
  async ({ operation, route }) => {
    const identity = {
      userId: 4711,
      role: 'member',
      scopes: 'all',
      tokenId: 12,
      timezone: 'UTC',
    } as const;
    const request = { ip: '192.0.2.9' } as Request;
    const call = { core: live.core, identity, request, url: new URL(live.url) };
    const run = (status: number) =>
      audited(operation, route, async () => ({ status, body: { data: { id: 5 } } }))(call, {
        body: { name: 'secret' },
      });
    await run(422);
    expect(await entries(operation)).toEqual([]);
    await run(200);
    const found = await entries(operation);
    if (WITHOUT_ENTRY.includes(operation)) return expect(found).toEqual([]);
    expect(found).toMatchObject([
      { user_id: 4711, token_id: 12, channel: 'api', object_id: 5, network_address: '192.0.2.9' },
    ]);
    expect(JSON.stringify(found)).not.toContain('secret');
  },
);

test('a write over REST names the fields, and a use of the token is recorded once', async () => {
  const body = { name: 'Lost token' };
  const { body: made } = await live.ask('/api/user/tokens', { method: 'POST', body });
  const { id } = (made as { data: { id: number } }).data;
  await live.ask(`/api/user/tokens/${id}`, { method: 'DELETE' });
  const { body: list } = await live.ask('/api/user/audit-log?operation=tokens');
  const rows = (list as { data: { operation: string; object_id: number; fields: string[] }[] }).data;
  expect(rows.filter(({ operation }) => operation === 'tokens.use')).toHaveLength(1);
  expect(rows).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ operation: 'tokens.create', object_id: id, fields: ['name'] }),
      expect.objectContaining({ operation: 'tokens.revoke', object_id: id, fields: [] }),
    ]),
  );
  expect(JSON.stringify(rows)).not.toContain('Lost token');
});

test('a mutation of the admin app leaves an entry, and a refused one does not', async () => {
  const browser = await signInOperator(live);
  await browser.trpc.doNotCall.add.mutate({ phone_numbers: ['+12025550142'], reason: '' });
  await expect(
    browser.trpc.doNotCall.add.mutate({ phone_numbers: [], reason: 'x'.repeat(300) }),
  ).rejects.toThrow();
  const { rows } = await browser.trpc.auditLog.list.query({ page: 1, per_page: 10, operation: 'doNotCall' });
  const ofApp = rows.filter(({ channel }) => channel === 'app');
  expect(ofApp).toMatchObject([
    {
      operation: 'doNotCall.add',
      user_email: live.email,
      token_id: null,
      fields: ['phone_numbers', 'reason'],
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain('2025550142');
});
