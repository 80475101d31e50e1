/** Inbound calls on trunks that register: by the account instead of a number, and from the address of the registrar. */
import { randomUUID } from 'node:crypto';
import { newNumberBody, newTrunkBody } from '@parley/contracts';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, freshNumber, makeAssistant, makeTestLine, makeUser } from '../../test/arrange.ts';
import { holdRegistrations, storeRegistration } from '../trunks/registration-lease.ts';
import { addNumber } from '../trunks/phone-numbers.ts';
import { addTrunk } from '../trunks/trunks.ts';
import { acceptInboundCall, type InboundCallInput } from './accept-inbound-call.ts';

const database = useTestDatabase();
const HOST = '198.51.100.40';
const REGISTRAR = '198.51.100.41';
const NOT_FOUND = { reject: 404, reason: 'unknown_number' };

const expire = statement(
  '',
  `update trunk_registrations set expires_at = now() - interval '1 s' where trunk_id = $1`,
);
const shareTrunk = statement('', 'update trunks set user_id = null where id = $1');

/** A trunk with one number and its assistant, whose account the registrar knows. */
async function setup(fields: Record<string, unknown> = {}) {
  const about = await arrange(database.db);
  const { ctx, identity, fence } = about;
  const account = `account-${randomUUID()}`;
  const own = { host: HOST, registrar: `${REGISTRAR}:5080`, username: account, password: 'secret' };
  const body = newTrunkBody.parse({ name: 'Office', registers: true, ...own, ...fields });
  const { id: trunkId } = await addTrunk(ctx, identity, body);
  const number = async () => {
    const given = newNumberBody.parse({ phone_number: freshNumber(), sip_trunk_id: trunkId });
    const { id, phone_number: phoneNumber } = await addNumber(ctx, identity, given);
    await makeAssistant(ctx, identity, { calls_direction: 'receive', phone_number_id: id });
    return phoneNumber;
  };
  const phoneNumber = await number();
  const holder = randomUUID();
  await holdRegistrations(ctx, holder);
  const expiresAt = new Date('2999-01-01T00:00:00Z');
  const registered = { trunkId, state: 'registered', sipStatus: 200, reason: null, expiresAt } as const;
  await storeRegistration(ctx, holder, registered);
  const call = (changes: Partial<InboundCallInput> = {}) =>
    acceptInboundCall(ctx, {
      to: account,
      toHeader: account,
      from: freshNumber(),
      sipCallId: randomUUID(),
      sourceAddress: REGISTRAR,
      voiceProcess: fence,
      ...changes,
    });
  return { ...about, trunkId, account, phoneNumber, number, call };
}

it.each([undefined, '', '600', 'sales'])(
  'a call of the account reaches its one number; To: %s',
  async (to) => {
    const { account, phoneNumber, call } = await setup();
    const expected = { call: { assistantPhoneNumber: phoneNumber } };
    expect(await call({ toHeader: to ?? account })).toMatchObject(expected);
  },
);

it.each([HOST, '198.51.100.42'])(
  'without a registrar, a call of the account may come from any host: %s',
  async (sourceAddress) => {
    const { phoneNumber, call } = await setup({ registrar: null, other_hosts: ['198.51.100.42:5070'] });
    expect(await call({ sourceAddress })).toMatchObject({ call: { assistantPhoneNumber: phoneNumber } });
    expect(await call({ sourceAddress: '198.51.100.43' })).toEqual(NOT_FOUND);
  },
);

it('a number in To decides', async () => {
  const { phoneNumber, number, call } = await setup();
  const second = await number();
  expect(await call({ toHeader: second })).toMatchObject({ call: { assistantPhoneNumber: second } });
  expect(await call({ toHeader: phoneNumber })).toMatchObject({
    call: { assistantPhoneNumber: phoneNumber },
  });
  expect(await call()).toEqual(NOT_FOUND);
});

it.each([
  ['a number that is not ours', { toHeader: '+12025559998' }],
  ['a number that is not ours, in P-Called-Party-ID', { calledPartyId: '+12025559998' }],
  ['another account', { to: 'somebody' }],
  ['the account, from the host that is not its registrar', { sourceAddress: HOST }],
  ['the account, from elsewhere', { sourceAddress: '203.0.113.9' }],
])('a call to %s is not found', async (_what, changes) => {
  const { call } = await setup();
  expect(await call(changes)).toEqual(NOT_FOUND);
});

it('who has not registered an account receives none of its calls', async () => {
  const { ctx, trunkId, call } = await setup();
  await ctx.db.query(expire, [trunkId]);
  expect(await call()).toEqual(NOT_FOUND);
});

it('without a registrar of its own, the host calls', async () => {
  const { call } = await setup({ registrar: null });
  expect(await call({ sourceAddress: HOST })).toHaveProperty('call');
  expect(await call()).toEqual(NOT_FOUND);
});

it('a number is called from the host and from the registrar', async () => {
  const { phoneNumber, call } = await setup();
  for (const sourceAddress of [HOST, REGISTRAR])
    expect(await call({ to: phoneNumber, sourceAddress })).toHaveProperty('call');
  const elsewhere = { to: phoneNumber, sourceAddress: '203.0.113.9' };
  expect(await call(elsewhere)).toEqual({ reject: 404, reason: 'other_trunk' });
});

it('a registrar that is a shared trunk proves nothing about a number', async () => {
  const { ctx, phoneNumber, call } = await setup({ registrar: '203.0.113.41' });
  const owner = await makeUser(ctx);
  await ctx.db.query(shareTrunk, [await makeTestLine(ctx, owner.userId, { host: '203.0.113.41' })]);
  expect(await call({ to: phoneNumber, sourceAddress: '203.0.113.41' })).toEqual({
    reject: 404,
    reason: 'other_trunk',
  });
});
