/** Which process registers a trunk, and what is shown of it. */
import { randomUUID } from 'node:crypto';
import { newTrunkBody, trunkChangesBody, trunkRecord } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import type { Identity } from '../users/identity.ts';
import { listTrunkHosts } from './list-trunk-hosts.ts';
import {
  holdRegistrations,
  registeredByOthers,
  releaseRegistration,
  storeRegistration,
} from './registration-lease.ts';
import { countRegistrations, findRegistrationFaults } from './registration-state.ts';
import { removeTrunk } from './remove-line.ts';
import { addTrunk, changeTrunk, listTrunks } from './trunks.ts';

const database = useTestDatabase();
const ACCOUNT = { username: '1001', password: 'a secret word', registers: true };

const endLeases = statement(
  '',
  `update trunk_registrations set lease_until = now() - interval '1 ms' where holder_id = $1`,
);
const markCopy = statement(
  '',
  'insert into restored_copy (id, taken_at, restored_at) values (1, now(), now())',
);
const clearCopy = statement('', 'delete from restored_copy');

async function setup(fields: Record<string, unknown> = {}) {
  const { ctx } = makeContext(database.db);
  const operator = await makeUser(ctx);
  const add = (owner: Identity, given: Record<string, unknown> = {}) =>
    addTrunk(
      ctx,
      owner,
      newTrunkBody.parse({ name: 'Office', host: 'pbx.example', ...ACCOUNT, ...fields, ...given }),
    );
  const { id: trunkId } = await add(operator);
  const change = (given: Record<string, unknown>) =>
    changeTrunk(ctx, operator, { ...trunkChangesBody.parse(given), id: trunkId });
  /** The account of the trunk, if that process holds it now. */
  const hold = async (holder: string) =>
    (await holdRegistrations(ctx, holder)).find((account) => account.trunkId === trunkId);
  const shown = async (reader: Identity = operator) =>
    trunkRecord.parse((await listTrunks(ctx, reader)).find(({ id }) => id === trunkId)).registration;
  const report = (holder: string, given: Partial<Parameters<typeof storeRegistration>[2]> = {}) =>
    storeRegistration(ctx, holder, {
      trunkId,
      state: 'registered',
      sipStatus: 200,
      reason: null,
      expiresAt: new Date('2999-01-01T00:00:00Z'),
      ...given,
    });
  return { ctx, operator, add, trunkId, change, hold, shown, report, a: randomUUID(), b: randomUUID() };
}

describe('the lease of a registration', () => {
  it('has one holder, with the account', async () => {
    const { hold, trunkId, a, b } = await setup({ port: 5080, transport: 'tcp', register_expires: 120 });
    const account = {
      trunkId,
      registrar: { host: 'pbx.example', port: 5080 },
      otherRegistrars: [],
      transport: 'tcp',
      tlsVerify: true,
      username: '1001',
      authUsername: null,
      password: 'a secret word',
      expiresSeconds: 120,
      isOperators: true,
    };
    expect(await hold(a)).toEqual(account);
    expect(await hold(b)).toBeUndefined();
    expect(await hold(a)).toEqual(account);
  });

  it('has the other hosts of the trunk, unless it has a registrar', async () => {
    const hosts = { other_hosts: ['second.pbx.example', '198.51.100.9:5070'] };
    const { hold, change, a } = await setup(hosts);
    expect(await hold(a)).toMatchObject({
      registrar: { host: 'pbx.example', port: null },
      otherRegistrars: [
        { host: 'second.pbx.example', port: null },
        { host: '198.51.100.9', port: 5070 },
      ],
    });
    await change({ registrar: 'sbc.example', password: 'a secret word' });
    expect(await hold(a)).toMatchObject({ registrar: { host: 'sbc.example' }, otherRegistrars: [] });
  });

  it('of two processes that ask at once, one gets it', async () => {
    const { hold, a, b } = await setup();
    const held = await Promise.all([hold(a), hold(b)]);
    expect(held.filter(Boolean)).toHaveLength(1);
  });

  it('goes to another process when it has ended, and its old holder learns that', async () => {
    const { ctx, hold, shown, report, trunkId, a, b } = await setup();
    await hold(a);
    await report(a);
    await ctx.db.query(endLeases, [a]);
    expect(await shown()).toMatchObject({ state: 'registering' });
    expect(await registeredByOthers(ctx, a, [trunkId])).toEqual(new Set());
    expect(await hold(b)).toBeDefined();
    expect(await hold(a)).toBeUndefined();
    expect(await registeredByOthers(ctx, a, [trunkId])).toEqual(new Set([trunkId]));
    await report(a, { state: 'failed', reason: 'An old process' });
    expect(await shown()).toMatchObject({ state: 'registering', reason: null });
    await releaseRegistration(ctx, a, trunkId);
    expect(await hold(a)).toBeUndefined();
  });

  it('that ended is renewed by its holder if no other has taken it', async () => {
    const { ctx, hold, shown, report, a } = await setup();
    await hold(a);
    await report(a);
    await ctx.db.query(endLeases, [a]);
    expect(await hold(a)).toBeDefined();
    expect(await shown()).toMatchObject({ state: 'registered' });
  });

  it('that was released is free at once', async () => {
    const { ctx, hold, trunkId, a, b } = await setup();
    await hold(a);
    await releaseRegistration(ctx, a, trunkId);
    expect(await hold(b)).toBeDefined();
  });

  it('ends while the owner of the trunk is disabled', async () => {
    const { ctx, operator, add, a } = await setup();
    const member = await makeUser(ctx);
    const { id } = await add(member, { host: 'pbx.example.com' });
    const disable = (isDisabled: boolean) =>
      changeUserAccount(
        ctx,
        { ...operator, role: 'operator' },
        { id: member.userId, is_disabled: isDisabled },
      );
    const isHeld = async () => (await holdRegistrations(ctx, a)).some(({ trunkId }) => trunkId === id);
    expect(await isHeld()).toBe(true);
    await disable(true);
    expect(await isHeld()).toBe(false);
    await disable(false);
    expect(await isHeld()).toBe(true);
  });

  it('ends when the trunk no longer registers, or is removed', async () => {
    const { ctx, operator, hold, change, shown, trunkId, a } = await setup();
    await hold(a);
    await change({ registers: false });
    expect(await hold(a)).toBeUndefined();
    expect(await shown()).toBeNull();
    await change({ registers: true });
    expect(await hold(a)).toBeDefined();
    await removeTrunk(ctx, operator, trunkId);
    expect(await hold(a)).toBeUndefined();
    expect(await registeredByOthers(ctx, a, [trunkId])).toEqual(new Set());
  });

  it('no process holds in a restored copy: the original receives the calls', async () => {
    const { ctx, hold, a } = await setup();
    await ctx.db.query(markCopy);
    expect(await hold(a)).toBeUndefined();
    await ctx.db.query(clearCopy);
    expect(await hold(a)).toBeDefined();
  });
});

describe('a changed account', () => {
  it('is what its holder reads next, and has proved nothing yet', async () => {
    const { hold, change, shown, report, a } = await setup();
    await hold(a);
    await report(a);
    expect(await shown()).toMatchObject({ state: 'registered', sip_status: 200 });
    await change({ registrar: '[2001:db8::1]:5070', password: 'another' });
    expect(await shown()).toMatchObject({ state: 'registering', sip_status: null, expires_at: null });
    expect(await hold(a)).toMatchObject({
      registrar: { host: '2001:db8::1', port: 5070 },
      password: 'another',
    });
    await change({ registrar: 'sbc.example', password: 'another' });
    expect(await hold(a)).toMatchObject({ registrar: { host: 'sbc.example', port: null } });
  });

  it('needs a user name and a password', async () => {
    const { add, operator, change } = await setup();
    const fields = {
      username: ['The username field is required when registers is true.'],
      password: ['The password field is required when registers is true.'],
    };
    await expect(add(operator, { username: null, password: '' })).rejects.toMatchObject({
      kind: 'invalid',
      fields,
    });
    await expect(change({ password: null })).rejects.toMatchObject({ fields: { password: fields.password } });
    await expect(change({ username: null, password: null, registers: false })).resolves.toMatchObject({
      registers: false,
    });
  });

  it('is sent to a new registrar only with its password', async () => {
    const { change } = await setup();
    await expect(change({ registrar: 'evil.example' })).rejects.toMatchObject({
      fields: { password: ['The password field is required when the registrar changes.'] },
    });
    await expect(change({ registrar: 'PBX.example:5099' })).resolves.toMatchObject({
      registrar: 'PBX.example:5099',
    });
  });
});

it.each(['127.0.0.1', '10.0.0.1:5060', '[::1]:5060', 'pbx.internal', 'localhost:5060'])(
  'a member may not register at %s',
  async (registrar) => {
    const { ctx, add, operator } = await setup();
    const member: Identity = { ...(await makeUser(ctx)), role: 'member' };
    await expect(add(member, { registrar })).rejects.toMatchObject({
      fields: { registrar: ['The selected registrar is invalid.'] },
    });
    await expect(add(operator, { registrar })).resolves.toMatchObject({ registrar });
  },
);

it('a member does not see the registrar of a shared trunk', async () => {
  const { ctx, add, operator, a } = await setup();
  const member: Identity = { ...(await makeUser(ctx)), role: 'member' };
  const { id: trunkId } = await add(operator, { is_shared: true, registrar: 'sbc.example' });
  await holdRegistrations(ctx, a);
  const reason = 'The registrar redirects to sip:192.0.2.1, which is not followed';
  await storeRegistration(ctx, a, { trunkId, state: 'failed', sipStatus: 302, reason, expiresAt: null });
  const read = async (reader: Identity) => (await listTrunks(ctx, reader)).find(({ id }) => id === trunkId);
  expect(await read(member)).toMatchObject({
    registrar: null,
    registration: { state: 'failed', reason: null },
  });
  expect(await read(operator)).toMatchObject({ registrar: 'sbc.example', registration: { reason } });
});

it('the states are counted, and faults are found', async () => {
  const { ctx, hold, report, trunkId, a } = await setup();
  const count = async (state: string) =>
    (await countRegistrations(ctx)).find((each) => each.state === state)?.count ?? 0;
  const fault = async () => (await findRegistrationFaults(ctx)).find((each) => each.trunkId === trunkId);
  const before = await count('failed');
  expect(await fault()).toMatchObject({ state: 'registering', reason: null });
  await hold(a);
  expect(await fault()).toBeUndefined();
  await report(a, { state: 'failed', sipStatus: 403, reason: 'Refused', expiresAt: null });
  expect(await count('failed')).toBe(before + 1);
  expect(await fault()).toMatchObject({ name: 'Office', state: 'failed', sipStatus: 403, reason: 'Refused' });
});

it('a registrar is an address of its trunk', async () => {
  const { ctx } = await setup({ registrar: '[2001:db8::7]:5070' });
  expect(await listTrunkHosts(ctx)).toEqual(
    expect.arrayContaining([
      { host: 'pbx.example', port: null },
      { host: '2001:db8::7', port: 5070 },
    ]),
  );
});
