import { randomUUID } from 'node:crypto';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { makeContext } from '../../test/arrange.ts';
import { removeExpiredData } from '../retention/expired-data.ts';
import { createUser } from '../users/create-user.ts';
import { createSignInLink, redeemSignInLink } from '../users/sign-in-link.ts';
import { signIn } from '../users/sign-in.ts';
import { auditCommitted, writeAudit } from '../audit/audit-log.ts';
import { listAuditLog } from './list-audit-log.ts';

const database = useTestDatabase();
const PASSWORD = 'correct horse';
const networkAddress = '192.0.2.1';
const DAY_MS = 86_400_000;
const FIRST_PAGE = { page: 1, perPage: 50 };

async function setup() {
  const { ctx, clock } = makeContext(database.db);
  const add = (role: 'member' | 'operator') =>
    createUser(ctx, { name: 'Ada', email: `${randomUUID()}@example.org`, password: PASSWORD, role });
  const [member, operator] = [await add('member'), await add('operator')];
  const identityOf = ({ id, role }: typeof member) =>
    ({ userId: id, role, scopes: 'all', tokenId: null, timezone: 'UTC' }) as const;
  const ofMember = (filters = {}) => listAuditLog(ctx, identityOf(member), { ...FIRST_PAGE, ...filters });
  const ofAll = (filters = {}) => listAuditLog(ctx, identityOf(operator), { ...FIRST_PAGE, ...filters });
  return { ctx, clock, member, operator, ofMember, ofAll };
}

it('members see their own entries, operators see all, and filters select among them', async () => {
  const { ctx, clock, member, operator, ofMember, ofAll } = await setup();
  const own = { channel: 'api', userId: member.id, tokenId: 7, networkAddress } as const;
  const startedAt = new Date(clock.now());
  await writeAudit(ctx, { ...own, operation: 'assistants.update', objectId: 3, fields: ['name'] });
  clock.advance(1000);
  await writeAudit(ctx, { channel: 'app', userId: operator.id, operation: 'prices.set' });
  expect(await ofMember({ userId: operator.id })).toEqual({ total: 0, rows: [] });
  expect(await ofMember({ userId: member.id })).toEqual({
    total: 1,
    rows: [
      {
        id: expect.any(Number) as number,
        at: expect.stringMatching(/Z$/) as string,
        user_id: member.id,
        user_email: member.email,
        token_id: 7,
        channel: 'api',
        network_address: networkAddress,
        operation: 'assistants.update',
        object_id: 3,
        fields: ['name'],
        outcome: 'done',
      },
    ],
  });
  const operations = async (filters: object) =>
    (await ofAll({ from: startedAt, ...filters })).rows.map((row) => row.operation);
  expect(await operations({})).toEqual(['prices.set', 'assistants.update']);
  expect(await operations({ userId: member.id })).toEqual(['assistants.update']);
  expect(await operations({ operation: 'prices' })).toEqual(['prices.set']);
  expect(await operations({ operation: '%' })).toEqual([]);
  expect(await operations({ to: new Date(clock.now()) })).toEqual(['assistants.update']);
  expect(await operations({ page: 2, perPage: 1 })).toEqual(['assistants.update']);
});

it('sign-ins leave an entry, and so do refused ones', async () => {
  const { ctx, member, ofMember, ofAll } = await setup();
  const attempt = (email: string, password: string) => signIn(ctx, { email, password, networkAddress });
  await attempt(member.email, 'wrong password');
  await attempt(member.email, PASSWORD);
  const unknown = `${randomUUID()}@example.org`;
  await attempt(unknown, PASSWORD);
  const secret = await createSignInLink(ctx, member.id);
  await redeemSignInLink(ctx, secret, { networkAddress });
  const { rows } = await ofMember();
  expect(rows.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    'session.signIn done',
    'session.signIn done',
    'session.signIn refused',
  ]);
  const [latest] = (await ofAll({ operation: 'session.signIn' })).rows.filter(
    ({ user_id }) => user_id === null,
  );
  expect(latest).toMatchObject({ user_email: null, network_address: networkAddress, outcome: 'refused' });
  expect(JSON.stringify(await ofAll())).not.toContain(unknown);
});

it.each([
  ['update', `update audit_entries set operation = 'x'`],
  ['delete', 'delete from audit_entries'],
  ['truncate', 'truncate audit_entries'],
])('refuses to %s entries', async (_name, sql) => {
  const { ctx, member } = await setup();
  await writeAudit(ctx, { channel: 'app', userId: member.id, operation: 'prices.set' });
  await expect(ctx.db.query(statement('', sql))).rejects.toThrow('append-only');
});

it('entries are removed when their period is over, and not before', async () => {
  const { ctx, clock, member, ofMember } = await setup();
  const none = {
    recordings: 0,
    transcripts: 0,
    callNumbers: 0,
    deliveries: 0,
    sipTraces: 0,
    apiRequests: 0,
    consents: 0,
  };
  await writeAudit(ctx, { channel: 'app', userId: member.id, operation: 'assistants.create' });
  clock.advance(10 * DAY_MS);
  await writeAudit(ctx, { channel: 'app', userId: member.id, operation: 'assistants.remove' });
  await removeExpiredData(ctx, { ...none, auditEntries: 0 });
  expect((await ofMember()).total).toBe(2);
  const { auditEntries } = await removeExpiredData(ctx, { ...none, auditEntries: 5 });
  expect(auditEntries).toBeGreaterThanOrEqual(1);
  expect((await ofMember()).rows.map(({ operation }) => operation)).toEqual(['assistants.remove']);
});

it('an entry that cannot be stored does not undo the write that it describes', async () => {
  const { ctx } = await setup();
  const broken = { channel: 'unknown' as 'app', operation: 'prices.set' };
  await expect(writeAudit(ctx, broken)).rejects.toThrow();
  await expect(auditCommitted(ctx, broken)).resolves.toBeUndefined();
});
