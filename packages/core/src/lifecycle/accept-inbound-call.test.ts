import { randomUUID } from 'node:crypto';
import { PhoneNumber, statement } from '@parley/db';
import { HostResolver, SipServerResolver, type FindAddresses } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { arrange, freshNumber, makeAssistant, makeCall, makeTestLine, makeUser } from '../../test/arrange.ts';
import { runWithKills, subscribe } from '../../test/arrange-endpoints.ts';
import { changeUserAccount } from '../accounts/user-accounts.ts';
import type { CoreContext } from '../context.ts';
import { acceptInboundCall, type InboundCallInput } from './accept-inbound-call.ts';
import { findCall } from '../calls/find-call.ts';
import { finishCall } from './finish-call.ts';
import { recordCallEvent } from './record-call-event.ts';
import { endOf } from '../../test/arrange.ts';

const database = useTestDatabase();

async function setup(
  options: { host?: string; port?: null; otherHosts?: string[]; assistant?: Record<string, unknown> } = {},
) {
  const about = await arrange(database.db);
  const { ctx, identity, fence } = about;
  const to = freshNumber();
  const trunkId = await makeTestLine(ctx, identity.userId, options);
  const storeNumber = (phoneNumber: string) =>
    ctx.db.transaction(async ({ em }) =>
      em.create(PhoneNumber, {
        userId: identity.userId,
        trunkId,
        phoneNumber,
        countryCode: 'US',
        typeLabel: 'SIP',
        createdAt: new Date(ctx.clock.now()),
      }),
    );
  const number = await storeNumber(to);
  /** Another number of the same trunk, without an assistant. */
  const addNumber = async () => (await storeNumber(freshNumber())).phoneNumber;
  const fields = { calls_direction: 'receive', phone_number_id: number.id, ...options.assistant };
  const assistant = await makeAssistant(ctx, identity, fields);
  const call = (changes: Partial<InboundCallInput> = {}, context = ctx) =>
    acceptInboundCall(context, {
      to,
      from: freshNumber(),
      sipCallId: randomUUID(),
      sourceAddress: '127.0.0.1',
      voiceProcess: fence,
      ...changes,
    });
  return { ...about, assistant, to, trunkId, call, addNumber };
}

const shareTrunk = statement('', 'update trunks set user_id = null where id = $1');

const setTrunkCountry = statement(
  '',
  `update trunks set default_country = $2
   where id = (select trunk_id from phone_numbers where phone_number = $1)`,
);
const setCalledSource = statement('', 'update trunks set inbound_called_source = $2 where id = $1');
const setCallerSource = statement('', 'update trunks set inbound_caller_source = $2 where id = $1');
const renumber = statement('', 'update phone_numbers set phone_number = $2 where phone_number = $1');

async function makeSharedTrunk(ctx: CoreContext, host: string): Promise<void> {
  const owner = await makeUser(ctx);
  await ctx.db.query(shareTrunk, [await makeTestLine(ctx, owner.userId, { host })]);
}

/** The addresses of one name; no other has any. */
function addressesOf(name: string, first: string, ...others: string[]): FindAddresses {
  return async (asked) => {
    if (asked !== name) throw new Error('The host name has no address');
    return [first, ...others];
  };
}

describe('a call that comes in', () => {
  it('is reported to webhook endpoints with its numbers, once', async () => {
    const { ctx, identity, call, to, assistant } = await setup();
    const { payloads } = await subscribe({ ctx, identity }, { events: ['call.started'] });
    const invite = { from: freshNumber(), sipCallId: randomUUID() };
    await runWithKills(
      ctx,
      (killed) => call(invite, killed),
      async () => expect(await payloads()).toEqual([]),
    );
    expect(await call(invite)).toMatchObject({ reason: 'repeated' });
    expect(await payloads()).toMatchObject([
      { type: 'inbound', customer_phone: invite.from, assistant_phone: to, assistant_id: assistant.id },
    ]);
  });

  it('two INVITEs may have one Call-ID; the same one again is refused', async () => {
    const { call } = await setup();
    const sipCallId = randomUUID();
    const invites = [
      { fromTag: 'one', sequence: 1 },
      { fromTag: 'two', sequence: 1 },
      { fromTag: 'two', sequence: 2 },
    ];
    for (const invite of invites) {
      expect(await call({ sipCallId, invite })).toHaveProperty('call');
      expect(await call({ sipCallId, invite })).toEqual({ reject: 482, reason: 'repeated' });
    }
  });

  it('two callers who hide their numbers are both answered', async () => {
    const { call } = await setup();
    expect(await call({ from: 'anonymous' })).toHaveProperty('call');
    expect(await call({ from: 'anonymous' })).toHaveProperty('call');
  });

  it('goes to the assistant that owns the number', async () => {
    const { ctx, identity, assistant, to, call } = await setup();
    const from = freshNumber();
    const result = await call({ from });
    if (!('call' in result)) throw new Error('The call was refused');
    expect(result.call).toMatchObject({
      type: 'inbound',
      assistant: { id: assistant.id },
      assistantPhoneNumber: to,
      clientPhoneNumber: from,
    });
    expect(await findCall(ctx, identity, result.call.callId)).toMatchObject({
      type: 'inbound',
      status: 'initiated',
      assistant_phone_number: to,
      client_phone_number: from,
    });
  });

  it('is held by the process that it reached, to its end', async () => {
    const about = await setup();
    const result = await about.call();
    const callId = 'call' in result ? result.call.callId : 0;
    const { ctx, fence } = about;
    await recordCallEvent(ctx, { callId, event: 'ringing', at: new Date(0), fence });
    await recordCallEvent(ctx, { callId, event: 'answered', at: new Date(0), fence });
    expect(await finishCall(ctx, endOf(about, callId))).toEqual({
      status: 'completed',
      isApplied: true,
    });
  });

  it('the number may lack +, and the caller may be an extension or anonymous', async () => {
    const { to, call } = await setup();
    expect(await call({ to: to.slice(1), from: '1000' })).toMatchObject({
      call: { clientPhoneNumber: '1000' },
    });
    expect(await call({ from: '' })).toMatchObject({ call: { clientPhoneNumber: '' } });
    expect(await call({ from: '' })).toMatchObject({ call: { clientPhoneNumber: '' } });
  });

  it("from an address that is not the number's own trunk is answered as if the number did not exist", async () => {
    const { call } = await setup();
    expect(await call({ sourceAddress: '203.0.113.9' })).toEqual({ reject: 404, reason: 'other_trunk' });
    expect(await call({ sourceAddress: '::ffff:127.0.0.1' })).toHaveProperty('call');
  });

  it('from a shared trunk does not reach a number that a member registered on their own trunk', async () => {
    const { ctx, call } = await setup({ host: '198.51.100.20' });
    await makeSharedTrunk(ctx, '203.0.113.20');
    expect(await call({ sourceAddress: '203.0.113.20' })).toEqual({ reject: 404, reason: 'other_trunk' });
    expect(await call({ sourceAddress: '198.51.100.20' })).toHaveProperty('call');
  });

  it("from another trunk of the number's owner does not reach it", async () => {
    const { ctx, identity, call } = await setup({ host: '198.51.100.21' });
    await makeTestLine(ctx, identity.userId, { host: '198.51.100.22' });
    expect(await call({ sourceAddress: '198.51.100.22' })).toEqual({ reject: 404, reason: 'other_trunk' });
  });

  it("does not reach a number on a member's copy of a shared trunk", async () => {
    const { ctx, call } = await setup({ host: 'carrier.test' });
    const copied = await setup({ host: '203.0.113.30' });
    await makeSharedTrunk(ctx, '203.0.113.30');
    expect(await copied.call({ sourceAddress: '203.0.113.30' })).toEqual({
      reject: 404,
      reason: 'other_trunk',
    });
    expect(await call({ sourceAddress: '203.0.113.30' })).toEqual({ reject: 404, reason: 'other_trunk' });
  });

  it.each([
    ['another name of it', 'alias.test', []],
    ['its address', '203.0.113.31', []],
    ['its address among other hosts', '198.51.100.31', ['203.0.113.31:5060']],
  ])(
    "from a shared trunk does not reach a number on a member's trunk with %s",
    async (_, host, otherHosts) => {
      const { ctx, call } = await setup({ host, otherHosts });
      await makeSharedTrunk(ctx, 'shared.test');
      const addresses: Record<string, string> = {
        'shared.test': '203.0.113.31',
        'alias.test': '203.0.113.31',
      };
      const hosts = new HostResolver(ctx.clock, 4, async (name) => [addresses[name] ?? '192.0.2.1']);
      const records = { naptr: async () => [], srv: async () => [] };
      const servers = new SipServerResolver(ctx.clock, hosts, { records });
      ctx.sipServers = { 4: servers, 6: servers };
      expect(await call({ sourceAddress: '203.0.113.31' })).toEqual({ reject: 404, reason: 'other_trunk' });
      if (otherHosts.length > 0) expect(await call({ sourceAddress: host })).toHaveProperty('call');
    },
  );

  it('a trunk may be known by name', async () => {
    const { call } = await setup({ host: 'localhost' });
    expect(await call()).toHaveProperty('call');
  });

  it('to an unassigned number is not found', async () => {
    const { call } = await setup();
    expect(await call({ to: '+12025559999' })).toEqual({ reject: 404, reason: 'unknown_number' });
    expect(await call({ to: 'sales' })).toEqual({ reject: 404, reason: 'unknown_number' });
  });

  it.each([
    ['with the international prefix of Europe', (digits: string) => `00${digits}`],
    ['with that of North America', (digits: string) => `011${digits}`],
    ['as a national number', (digits: string) => digits.slice(1)],
    ['as a national number with its prefix', (digits: string) => digits],
  ])('finds a number that is written %s', async (_how, write) => {
    const { to, call } = await setup();
    expect(await call({ to: write(to.slice(1)) })).toMatchObject({ call: { assistantPhoneNumber: to } });
  });

  it('finds a number that stands only in the To header', async () => {
    const { to, call } = await setup();
    expect(await call({ to: 'account-7', toHeader: to })).toMatchObject({
      call: { assistantPhoneNumber: to },
    });
  });

  it('finds a number that stands only in the P-Called-Party-ID header', async () => {
    const { to, call } = await setup();
    expect(await call({ to: 'account-7', toHeader: 'account-7', calledPartyId: to })).toMatchObject({
      call: { assistantPhoneNumber: to },
    });
  });

  it('looks in the source of the trunk first', async () => {
    const { ctx, to, trunkId, call, addNumber } = await setup();
    const other = await addNumber();
    await ctx.db.query(setCalledSource, [trunkId, 'to']);
    expect(await call({ to: other, toHeader: to })).toMatchObject({ call: { assistantPhoneNumber: to } });
    await ctx.db.query(setCalledSource, [trunkId, 'p_called_party_id']);
    expect(await call({ to: other, toHeader: other, calledPartyId: to })).toMatchObject({
      call: { assistantPhoneNumber: to },
    });
  });

  it('finds a number that diverted the call only on a trunk whose source is Diversion', async () => {
    const { ctx, to, trunkId, call } = await setup();
    const forwarded = { to: 'account-7', divertedBy: [freshNumber(), to.slice(1)] };
    expect(await call(forwarded)).toEqual({ reject: 404, reason: 'unknown_number' });
    await ctx.db.query(setCalledSource, [trunkId, 'diversion']);
    expect(await call(forwarded)).toMatchObject({ call: { assistantPhoneNumber: to } });
    expect(await call({ ...forwarded, sourceAddress: '203.0.113.9' })).toEqual({
      reject: 404,
      reason: 'other_trunk',
    });
    expect(await call()).toMatchObject({ call: { assistantPhoneNumber: to } });
  });

  it('shows the caller in the header of the trunk, and otherwise hides a caller who asked for privacy', async () => {
    const { ctx, trunkId, call } = await setup();
    const numbers = { from: '+12025550171', assertedIdentity: '2025550172', remotePartyId: '12025550173' };
    const caller = async (changes: Partial<InboundCallInput> = {}) => {
      const result = await call({ ...numbers, ...changes });
      return 'call' in result ? result.call.clientPhoneNumber : result;
    };
    expect(await caller()).toBe('+12025550171');
    expect(await caller({ isPrivate: true })).toBe('');
    await ctx.db.query(setCallerSource, [trunkId, 'p_asserted_identity']);
    expect(await caller({ isPrivate: true })).toBe('+12025550172');
    expect(await caller({ isPrivate: true, assertedIdentity: '' })).toBe('');
    expect(await caller({ assertedIdentity: '' })).toBe('+12025550171');
    await ctx.db.query(setCallerSource, [trunkId, 'remote_party_id']);
    expect(await caller()).toBe('+12025550173');
  });

  it('has the number that diverted it first, in its record and as a variable', async () => {
    const { ctx, identity, call } = await setup();
    const result = await call({ firstDiverting: '2025550174' });
    if (!('call' in result)) throw new Error('The call was refused');
    expect(result.call.variables).toMatchObject({ diverted_from: '+12025550174' });
    expect(await findCall(ctx, identity, result.call.callId)).toMatchObject({
      diverted_from: '+12025550174',
    });
    const direct = await call();
    if (!('call' in direct)) throw new Error('The call was refused');
    expect(direct.call.variables).toMatchObject({ diverted_from: '' });
    expect(await findCall(ctx, identity, direct.call.callId)).toMatchObject({ diverted_from: null });
  });

  it('reads the number of the caller in the country of the called one', async () => {
    const { call } = await setup();
    expect(await call({ from: '2025550180' })).toMatchObject({ call: { clientPhoneNumber: '+12025550180' } });
  });

  it('reads the number of the caller in the country of the trunk', async () => {
    const { ctx, to, call } = await setup();
    await ctx.db.query(setTrunkCountry, [to, 'US']);
    await ctx.db.query(renumber, [to, '+4930901820']);
    const result = await call({ to: '+4930901820', from: '2025550180' });
    expect(result).toMatchObject({ call: { clientPhoneNumber: '+12025550180' } });
  });

  it.each([
    ['US', '+12025550181'],
    ['EG', '+2025550181'],
  ])('reads the called number in the country of the trunk (%s)', async (country, phoneNumber) => {
    const american = await setup();
    const egyptian = await setup();
    for (const [about, number] of [
      [american, '+12025550181'],
      [egyptian, '+2025550181'],
    ] as const) {
      await about.ctx.db.query(setTrunkCountry, [about.to, country]);
      await about.ctx.db.query(renumber, [about.to, number]);
    }
    const result = await american.call({ to: '2025550181' });
    await american.ctx.db.query(renumber, ['+12025550181', american.to]);
    await american.ctx.db.query(renumber, ['+2025550181', egyptian.to]);
    expect(result).toMatchObject({ call: { assistantPhoneNumber: phoneNumber } });
  });

  it.each([
    ['192.0.2.2', 'call'],
    ['2001:db8::2', 'call'],
    ['192.0.2.3', 'reject'],
  ])('from %s is compared with all addresses of the trunk', async (sourceAddress, result) => {
    const { ctx, call } = await setup({ host: 'trunk.test' });
    const hosts = {
      4: new HostResolver(ctx.clock, 4, addressesOf('trunk.test', '192.0.2.1', '192.0.2.2')),
      6: new HostResolver(ctx.clock, 6, addressesOf('trunk.test', '2001:db8::1', '2001:db8::2')),
    };
    const records = { naptr: async () => [], srv: async () => [] };
    ctx.sipServers = {
      4: new SipServerResolver(ctx.clock, hosts[4], { records }),
      6: new SipServerResolver(ctx.clock, hosts[6], { records }),
    };
    expect(await call({ sourceAddress })).toHaveProperty(result);
  });

  it.each([
    ['a server that SRV records name', '192.0.2.21', 'call'],
    ['another host of the trunk', '192.0.2.30', 'call'],
    ['a stranger', '192.0.2.40', 'reject'],
  ])('from %s is recognised as such', async (_, sourceAddress, result) => {
    const { ctx, call } = await setup({ host: 'trunk.test', port: null, otherHosts: ['192.0.2.30:5070'] });
    const addresses: Record<string, string> = { 'sip1.trunk.test': '192.0.2.21' };
    const hosts = new HostResolver(ctx.clock, 4, async (name) => [addresses[name] ?? '192.0.2.1']);
    const srv = async (name: string) =>
      name === '_sip._tcp.trunk.test'
        ? [{ priority: 1, weight: 1, port: 5080, name: 'sip1.trunk.test' }]
        : [];
    const servers = new SipServerResolver(ctx.clock, hosts, { records: { naptr: async () => [], srv } });
    ctx.sipServers = { 4: servers, 6: servers };
    expect(await call({ sourceAddress })).toHaveProperty(result);
  });

  it('to an assistant that is inactive or gone is unavailable', async () => {
    const inactive = await setup({ assistant: { status: 'inactive' } });
    expect(await inactive.call()).toEqual({ reject: 480, reason: 'no_assistant' });
    const gone = await setup();
    await gone.ctx.db.query(statement('', 'update assistants set deleted_at = now() where id = $1'), [
      gone.assistant.id,
    ]);
    expect(await gone.call()).toEqual({ reject: 480, reason: 'no_assistant' });
  });

  it('to a number of a disabled user is unavailable', async () => {
    const { ctx, identity, call } = await setup();
    const operator = await makeUser(ctx);
    await changeUserAccount(ctx, operator, { id: identity.userId, is_disabled: true });
    expect(await call()).toEqual({ reject: 480, reason: 'account_disabled' });
  });

  it('from a number that is in a call already is answered: all phones of a PBX may show one number', async () => {
    const about = await setup();
    const from = freshNumber();
    await makeCall({ ...about, assistant: await makeAssistant(about.ctx, about.identity) }, from);
    expect(await about.call({ from })).toHaveProperty('call');
    expect(await about.call({ from })).toHaveProperty('call');
  });

  it('is not accepted twice for the same INVITE', async () => {
    const about = await setup();
    const sipCallId = randomUUID();
    expect(await about.call({ sipCallId })).toHaveProperty('call');
    expect(await about.call({ sipCallId })).toEqual({ reject: 482, reason: 'repeated' });
  });
});
