import { DialPolicy, SmsMessage, statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { createTestUser, useTestDatabase } from '@parley/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { arrangeCarrier, waitingJobs } from '../../test/carriers.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { erasePerson } from '../retention/erase-person.ts';
import { authenticateToken } from '../users/authenticate-token.ts';
import { issueToken } from '../users/own-tokens.ts';
import { importCarrierNumbers } from './account-numbers.ts';
import { advanceSms } from './advance-sms.ts';
import { findSms, sendSms } from './send-sms.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const KINDS = [['twilio'], ['telnyx']] as const;
const TO = '+12025550123';
const SENDING = /POST .*[Mm]essages/;
let made = 0;

async function setup(kind: 'twilio' | 'telnyx' = 'twilio') {
  const clock = new ManualClock(Date.now());
  const about = await arrangeCarrier(database.db, kind, { clock });
  const { ctx, identity, carrier, accountId } = about;
  undo.push(carrier.close);
  const number = `+1312558${1000 + made++}`;
  carrier.world.own(number, kind === 'twilio' ? `PN${carrier.world.nextId()}` : `n${made}`);
  const [imported] = await importCarrierNumbers(ctx, identity, { accountId, phone_numbers: [number] });
  const from = imported?.id ?? 0;
  const send = (to = TO) => sendSms(ctx, identity, { from, to, body: 'Your table is booked.' });
  const read = (id: number) => findSms(ctx, identity, id);
  const later = () => clock.advance(60_000);
  return { ...about, later, world: carrier.world, from, send, read };
}

describe('a text message', () => {
  test.each(KINDS)('is sent through %s, and its delivery and cost are read later', async (kind) => {
    const { ctx, world, send, read } = await setup(kind);
    const { id, status } = await send();
    expect(status).toBe('queued');
    expect(await waitingJobs(ctx.db, 'advance_sms')).toContainEqual({ smsId: id });
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'sent', segments: 1, sms_sid: world.messages[0]?.ref });
    const [sent] = world.messages;
    if (sent) sent.status = 'delivered';
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'delivered', currency: 'USD', error: null });
    expect((await read(id)).total_cost).toBe(kind === 'twilio' ? 0.0079 : 0.004);
  });

  test.each(KINDS)('is sent once by %s, however often the job runs', async (kind) => {
    const { ctx, world, send } = await setup(kind);
    const { id } = await send();
    await Promise.all([advanceSms(ctx, id), advanceSms(ctx, id), advanceSms(ctx, id)].map(quietly));
    await advanceSms(ctx, id);
    expect(world.messages).toHaveLength(1);
  });

  test('whose answer is lost is found at Twilio, and not sent again', async () => {
    const { ctx, world, later, send, read } = await setup();
    const { id } = await send();
    world.faults.push({ on: SENDING, how: 'lose-answer' });
    await advanceSms(ctx, id);
    // Another run may still wait for the answer.
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'sending', sms_sid: null });
    later();
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'sent', sms_sid: world.messages[0]?.ref });
    expect(world.messages).toHaveLength(1);
  });

  test('that Twilio never received failed, and one that Telnyx may have received is unknown', async () => {
    for (const [kind, status] of [
      ['twilio', 'failed'],
      ['telnyx', 'unknown'],
    ] as const) {
      const { ctx, world, later, send, read } = await setup(kind);
      const { id } = await send();
      world.faults.push({ on: SENDING, how: 'refuse' });
      await advanceSms(ctx, id);
      later();
      await advanceSms(ctx, id);
      await advanceSms(ctx, id);
      expect(await read(id)).toMatchObject({ status });
      expect(world.messages).toEqual([]);
    }
  });

  test('waits when the carrier limits requests, and is sent later', async () => {
    const { ctx, world, send, read } = await setup();
    const { id } = await send();
    world.faults.push({ on: SENDING, how: 'rate-limit' });
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'queued' });
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'sent' });
  });

  test('that the carrier refuses failed with its reason', async () => {
    const { ctx, world, send, read } = await setup();
    const { id } = await send();
    for (const number of world.owned) number.isSmsCapable = false;
    await advanceSms(ctx, id);
    expect((await read(id)).error).toContain('Twilio error 21606');
    expect((await read(id)).status).toBe('failed');
  });

  test('that the network does not deliver is undelivered, with the reason', async () => {
    const { ctx, world, send, read } = await setup();
    const { id } = await send();
    await advanceSms(ctx, id);
    const [sent] = world.messages;
    if (sent) sent.status = 'undelivered';
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'undelivered', error: expect.stringContaining('30003') });
  });

  test('of another user does not exist', async () => {
    const { ctx, send } = await setup();
    const { id } = await send();
    const { identity } = await createTestUser(ctx);
    await expect(findSms(ctx, identity, id)).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('a text message is refused', () => {
  test('from the number of another user, or one of no carrier account', async () => {
    const { ctx, identity, from } = await setup();
    const other = (await createTestUser(ctx)).identity;
    const body = 'Hello';
    await expect(sendSms(ctx, other, { from, to: TO, body })).rejects.toMatchObject({
      fields: { from: expect.anything() },
    });
    await ctx.db.query(statement('', 'update phone_numbers set carrier_account_id = null where id = $1'), [
      from,
    ]);
    await expect(sendSms(ctx, identity, { from, to: TO, body })).rejects.toMatchObject({
      fields: { from: [expect.stringContaining('no carrier account')] },
    });
  });

  test('to a number on the do-not-call list, also when it is listed before the job runs', async () => {
    const { ctx, identity, world, send, read } = await setup();
    const { id } = await send();
    await addToDoNotCallList(ctx, identity, { phoneNumber: TO });
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('do-not-call') });
    expect(world.messages).toEqual([]);
    await expect(send()).rejects.toMatchObject({ fields: { to: [expect.stringContaining('do-not-call')] } });
  });

  test('of a user who is disabled before the job runs', async () => {
    const { ctx, identity, world, send, read } = await setup();
    const { id } = await send();
    await ctx.db.query(statement('', 'update users set disabled_at = now() where id = $1'), [
      identity.userId,
    ]);
    await advanceSms(ctx, id);
    expect(await read(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('disabled') });
    expect(world.messages).toEqual([]);
  });

  test('to a country that is not allowed, and to a number that the token must not call', async () => {
    const { ctx, identity, from, send } = await setup();
    await expect(send('+4915112345678')).rejects.toMatchObject({
      fields: { to: [expect.stringContaining('Messages to Germany (DE) are not allowed')] },
    });
    const narrow = { ...identity, allowedNumbers: ['+1415*'] };
    await expect(sendSms(ctx, narrow, { from, to: TO, body: 'Hello' })).rejects.toMatchObject({
      fields: { to: [expect.stringContaining('API token')] },
    });
  });

  test('by a token with a limit of costs, which no message would be counted under', async () => {
    const { ctx, identity, world, from } = await setup();
    const wanted = { name: 'Agent', scopes: ['read', 'call'] as ('read' | 'call')[] };
    const send = async (limits: { max_cost_per_day?: number }) => {
      const { token } = await issueToken(ctx, identity, { ...wanted, ...limits });
      const agent = await authenticateToken(ctx, token ?? '');
      if (!agent) throw new Error('The token is unknown');
      return sendSms(ctx, agent, { from, to: TO, body: 'Your table is booked.' });
    };
    await expect(send({ max_cost_per_day: 1 })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(send({})).resolves.toMatchObject({ status: 'queued' });
    expect(world.messages).toHaveLength(0);
  });

  test('beyond the limit of a day, also of many requests at once', async () => {
    const { ctx, identity, send } = await setup();
    await ctx.db.transaction(({ em }) => em.nativeUpdate(DialPolicy, { id: 1 }, { smsPerDay: 3 }));
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => send()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await ctx.db.em.count(SmsMessage, { userId: identity.userId })).toBe(3);
    await ctx.db.transaction(({ em }) => em.nativeUpdate(DialPolicy, { id: 1 }, { smsPerDay: 200 }));
  });

  test('beyond the limit of a day, also after the erasure of those who received messages', async () => {
    const { ctx, identity, world, send, read } = await setup();
    const { id: sent } = await send();
    await advanceSms(ctx, sent);
    const { id: waiting } = await send();
    await ctx.db.transaction(({ em }) => em.nativeUpdate(DialPolicy, { id: 1 }, { smsPerDay: 2 }));
    const limit = { fields: { to: [expect.stringContaining('limit of messages per day')] } };
    await expect(send()).rejects.toMatchObject(limit);
    await erasePerson(ctx, identity, { phoneNumber: TO, removesFromDoNotCallList: true });
    await expect(send()).rejects.toMatchObject(limit);
    await expect(read(sent)).rejects.toMatchObject({ kind: 'not-found' });
    const kept = await ctx.db.em.find(SmsMessage, { userId: identity.userId });
    expect(JSON.stringify(kept)).not.toContain(TO.slice(1));
    // What was accepted and not sent yet is not sent any more.
    await advanceSms(ctx, sent);
    await advanceSms(ctx, waiting);
    expect(world.messages).toHaveLength(1);
    await ctx.db.transaction(({ em }) => em.nativeUpdate(DialPolicy, { id: 1 }, { smsPerDay: 200 }));
  });

  test('and stores nothing of a person who was erased while the carrier was asked', async () => {
    const { ctx, identity, world, send } = await setup();
    const { id } = await send();
    world.faults.push({ on: SENDING, how: 'rate-limit' });
    const erased = (): Promise<unknown> =>
      erasePerson(ctx, identity, { phoneNumber: TO, removesFromDoNotCallList: true });
    // The claim is committed; the answer of the carrier is written in the next transaction.
    let transactions = 0;
    const transaction: typeof ctx.db.transaction = async (work) => {
      if (++transactions === 2) await erased();
      return ctx.db.transaction(work);
    };
    await advanceSms({ ...ctx, db: { ...ctx.db, transaction } }, id);
    await advanceSms(ctx, id);
    expect(transactions).toBe(2);
    expect(world.messages).toEqual([]);
    expect(JSON.stringify(await ctx.db.em.find(SmsMessage, { id }))).not.toContain(TO.slice(1));
  });
});

async function quietly(work: Promise<void>): Promise<void> {
  await work.catch(() => {});
}
