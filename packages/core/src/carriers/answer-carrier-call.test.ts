import { CarrierAccount, PhoneNumber, statement, Trunk } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { newCallSid, TWILIO_ACCOUNT, useTestDatabase } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { killVoiceProcess, makeAssistant, makeVoiceProcess } from '../../test/arrange.ts';
import { arrangeCarrier } from '../../test/carriers.ts';
import { findCall } from '../calls/find-call.ts';
import { claimWebCall } from '../lifecycle/claim-web-call.ts';
import { findCallProcess } from '../lifecycle/find-call-process.ts';
import { claimStream } from '../lifecycle/streamed-call.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { setInboundRoute } from '../trunks/inbound-route.ts';
import { importCarrierNumbers } from './account-numbers.ts';
import { listCarrierAccounts } from './accounts.ts';
import { answerCarrierCall, isCarrierStream, type CarrierCallAnswer } from './answer-carrier-call.ts';
import { connectCarrierAccount } from './connect-account.ts';
import { signAsTwilio } from './twilio-signature.ts';

const database = useTestDatabase();
const SIP = 'sip.parley.example:5060';
let numbers = 0;

async function setupAccount() {
  const about = await arrangeCarrier(database.db, 'twilio', { clock: new ManualClock(Date.now()) });
  const { ctx, identity, carrier, accountId } = about;
  numbers += 1;
  const phoneNumber = `+1312555${1000 + numbers}`;
  carrier.world.own(phoneNumber, `PN${carrier.world.nextId()}`);
  const connect = (inboundCalls?: 'sip_trunk' | 'media_stream', sipAddress: string | null = null) =>
    connectCarrierAccount(ctx, identity, { id: accountId, sipAddress, inboundCalls });
  const importNumber = async () => {
    await importCarrierNumbers(ctx, identity, { accountId, phone_numbers: [phoneNumber] });
    return (await ctx.db.em.findOneOrFail(PhoneNumber, { phoneNumber })).id;
  };
  const owned = () => carrier.world.owned.find((number) => number.phoneNumber === phoneNumber);
  return { ...about, clock: ctx.clock as ManualClock, phoneNumber, connect, importNumber, owned };
}

async function setup({ capacity = 5 } = {}) {
  const about = await setupAccount();
  const { ctx, identity, accountId, phoneNumber } = about;
  await ctx.db.query(statement('', 'delete from voice_processes'));
  const fence = await makeVoiceProcess(ctx, capacity);
  await about.connect('media_stream');
  const numberId = await about.importNumber();
  const answering = await makeAssistant(ctx, identity, {
    calls_direction: 'receive',
    phone_number_id: numberId,
  });
  /** Twilio's request, with changed or removed parameters. */
  const ask = (changes: Record<string, string> = {}, token: string = TWILIO_ACCOUNT.token) => {
    const given = { AccountSid: TWILIO_ACCOUNT.sid, CallSid: newCallSid(), Direction: 'inbound' };
    const parameters = Object.entries({ ...given, From: '+12025550123', To: phoneNumber, ...changes });
    const url = `http://parley.test/carriers/${accountId}/calls`;
    return answerCarrierCall(ctx, { accountId, parameters, signature: signAsTwilio(token, url, parameters) });
  };
  const claim = (ticket: string, carrierCallId: string) =>
    claimStream(ctx, { ticket, carrierCallId, voiceProcess: fence });
  const record = (callId: number) => findCall(ctx, identity, callId);
  return { ...about, fence, numberId, answering, ask, claim, record };
}

function streamOf(answer: CarrierCallAnswer | null): { url: string; ticket: string; callId: number } {
  if (!answer || !('stream' in answer)) throw new Error('The call was refused');
  return { ...answer.stream, callId: Number(/calls\/(\d+)\/stream$/.exec(answer.stream.url)?.[1]) };
}

describe('an account whose calls are streamed', () => {
  test('needs no SIP address, and has a trunk for outbound calls; imported numbers go to its application', async () => {
    const { ctx, identity, carrier, connect, importNumber, owned } = await setupAccount();
    const account = await connect('media_stream');
    expect(account).toMatchObject({ is_connected: true, inbound_calls: 'media_stream' });
    const [application] =
      [...carrier.world.resources].find(([path]) => path.endsWith('/Applications'))?.[1] ?? [];
    expect(application).toMatchObject({
      voice_url: `http://parley.test/carriers/${account.id}/calls`,
      voice_method: 'POST',
    });
    await importNumber();
    expect(owned()).toMatchObject({ applicationRef: application?.['sid'], trunkRef: null });
    expect(await ctx.db.em.count(Trunk, { id: account.sip_trunk_id ?? 0, userId: identity.userId })).toBe(1);
  });

  test('moves its numbers in both directions, also after an interruption', async () => {
    const { carrier, connect, importNumber, owned } = await setupAccount();
    await importNumber();
    expect(owned()).toMatchObject({ applicationRef: null, trunkRef: expect.stringMatching(/^TK/) });
    carrier.world.faults.push({ on: /POST .*IncomingPhoneNumbers\/PN/, how: 'refuse' });
    await expect(connect('media_stream')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(owned()?.applicationRef).toBeNull();
    await connect();
    expect(owned()).toMatchObject({ applicationRef: expect.stringMatching(/^AP/), trunkRef: null });
    await expect(connect('sip_trunk')).rejects.toMatchObject({ fields: { sip_address: expect.anything() } });
    await connect('sip_trunk', SIP);
    expect(owned()).toMatchObject({ applicationRef: null, trunkRef: expect.stringMatching(/^TK/) });
  });

  test('keeps its way when it is connected again without a choice', async () => {
    const { ctx, identity, connect } = await setupAccount();
    await connect('media_stream');
    await connect();
    expect(await listCarrierAccounts(ctx, identity)).toMatchObject([{ inbound_calls: 'media_stream' }]);
  });

  test('is refused for an address without https, and with a SIP address', async () => {
    const { ctx, identity, accountId, connect } = await setupAccount();
    await expect(connect('media_stream', SIP)).rejects.toMatchObject({
      fields: { sip_address: expect.anything() },
    });
    const real = { ...ctx, carrierUrls: { twilio: null, telnyx: null } };
    const insecure = { id: accountId, sipAddress: null, inboundCalls: 'media_stream' } as const;
    const fields = { inbound_calls: expect.anything() };
    await expect(connectCarrierAccount(real, identity, insecure)).rejects.toMatchObject({ fields });
  });
});

describe('a call that a carrier asks about', () => {
  test.each(['CallerName', 'From', 'ForwardedFrom'])(
    'is taken with characters in %s that cannot be stored',
    async (name) => {
      const { ask, record, phoneNumber } = await setup();
      const { callId } = streamOf(await ask({ [name]: 'A\0da\uD83D' }));
      expect(JSON.stringify(await record(callId))).not.toMatch(/\\u0000|\\ud83d/i);
      expect(await ask({ To: `${phoneNumber}\0` })).toEqual({ reject: 'rejected' });
    },
  );

  test('is written, assigned to a voice process, and belongs to who shows its ticket', async () => {
    const { ctx, ask, claim, record, answering, phoneNumber } = await setup();
    const CallSid = newCallSid();
    const { url, ticket, callId } = streamOf(
      await ask({ CallSid, CallerName: 'ANN', ForwardedFrom: '+12025550124' }),
    );
    expect(url).toMatch(/^ws:\/\/parley\.test\/carriers\/\d+\/calls\/\d+\/stream$/);
    expect(await record(callId)).toMatchObject({
      type: 'inbound',
      status: 'initiated',
      assistant_phone_number: phoneNumber,
      client_phone_number: '+12025550123',
    });
    expect(await findCallProcess(ctx, callId)).not.toBeNull();
    const claims = await Promise.all([claim(ticket, CallSid), claim(ticket, CallSid)]);
    expect(claims.filter((one) => one !== null)).toMatchObject([
      { queue: null, call: { callId, sipCallId: CallSid, assistant: { name: answering.name } } },
    ]);
    expect(await claim(ticket, CallSid)).toBeNull();
  });

  test('is refused with a ticket that is wrong, late, of another call, or of a fenced process', async () => {
    const { ctx, clock, fence, ask, claim } = await setup();
    const [CallSid, other] = [newCallSid(), newCallSid()];
    const { ticket } = streamOf(await ask({ CallSid }));
    const second = streamOf(await ask({ CallSid: other }));
    expect(await claim('wrong', CallSid)).toBeNull();
    expect(await claim(second.ticket, CallSid)).toBeNull();
    expect(await claimWebCall(ctx, { ticket, voiceProcess: fence })).toBeNull();
    clock.advance(20_001);
    expect(await claim(ticket, CallSid)).toBeNull();
    const third = streamOf(await ask({ CallSid: newCallSid() }));
    await killVoiceProcess(ctx, fence);
    expect(await claim(third.ticket, CallSid)).toBeNull();
  });

  test('is written once when the carrier asks again, and only the newest ticket is good', async () => {
    const { ask, claim } = await setup();
    const CallSid = newCallSid();
    const first = streamOf(await ask({ CallSid }));
    const second = streamOf(await ask({ CallSid }));
    expect(second.callId).toBe(first.callId);
    expect(await claim(first.ticket, CallSid)).toBeNull();
    expect(await claim(second.ticket, CallSid)).not.toBeNull();
    expect(await ask({ CallSid })).toEqual({ reject: 'busy' });
  });

  test('ends as failed when its stream never comes', async () => {
    const { ctx, clock, ask, record } = await setup();
    const { callId } = streamOf(await ask());
    clock.advance(20_001);
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
    expect(await record(callId)).toMatchObject({ status: 'failed', ended_reason: 'not_connected' });
  });

  test('is refused as busy while no voice process has a free slot, and counts before its stream has come', async () => {
    const { ctx, ask, fence } = await setup({ capacity: 2 });
    for (let count = 0; count < 2; count++) streamOf(await ask());
    expect(await ask()).toEqual({ reject: 'busy' });
    await killVoiceProcess(ctx, fence);
    expect(await ask()).toEqual({ reject: 'busy' });
  });

  test('follows the route of its number, waits in its queue, and is refused where the route says so', async () => {
    const { ctx, identity, numberId, answering, ask, claim } = await setup();
    const action = { type: 'assistant', assistant_id: answering.id } as const;
    const route = { timezone: 'UTC', rules: [], otherwise: action };
    const queue = {
      max_calls: 1,
      max_waiting: 1,
      max_wait_seconds: 60,
      text: 'You are number {{position}}.',
      announce_every_seconds: 30,
      overflow: { type: 'reject' },
    } as const;
    const refusing = { ...route, otherwise: { type: 'reject' }, queue: null } as const;
    await setInboundRoute(ctx, identity, numberId, { ...route, queue });
    streamOf(await ask());
    const CallSid = newCallSid();
    const waiting = streamOf(await ask({ CallSid }));
    expect(await claim(waiting.ticket, CallSid)).toMatchObject({ queue: { maxCalls: 1 } });
    expect(await ask()).toEqual({ reject: 'busy' });
    await setInboundRoute(ctx, identity, numberId, refusing);
    expect(await ask()).toEqual({ reject: 'busy' });
  });

  test('of a disabled user, to a number of no account, and of another account is refused', async () => {
    const { ctx, identity, ask } = await setup();
    expect(await ask({ To: '+13125559999' })).toEqual({ reject: 'rejected' });
    expect(await ask({ AccountSid: `AC${'b'.repeat(32)}` })).toEqual({ reject: 'rejected' });
    expect(await ask({ CallSid: 'CA1' })).toEqual({ reject: 'rejected' });
    expect(await ask({ Direction: 'outbound-api' })).toEqual({ reject: 'rejected' });
    await ctx.db.query(statement('', 'update users set disabled_at = now() where id = $1'), [
      identity.userId,
    ]);
    expect(await ask()).toEqual({ reject: 'rejected' });
  });

  test('of a caller who withholds the number has none', async () => {
    const { ask, record } = await setup();
    const { callId } = streamOf(await ask({ From: '+266696687' }));
    expect(await record(callId)).toMatchObject({ client_phone_number: '' });
  });

  test('is not answered without the signature of its account, and neither is its stream', async () => {
    const { ctx, accountId, ask } = await setup();
    const stream = streamOf(await ask());
    expect(await ask({}, 'another token')).toBeNull();
    const { url, callId } = stream;
    const about = { accountId, callId, signature: signAsTwilio(TWILIO_ACCOUNT.token, url) };
    expect(await isCarrierStream(ctx, about)).toBe(true);
    for (const changes of [{ callId: callId + 1 }, { accountId: accountId + 1 }, { signature: '' }])
      expect(await isCarrierStream(ctx, { ...about, ...changes })).toBe(false);
    // Its calls were never streamed.
    const account = await ctx.db.em.findOneOrFail(CarrierAccount, { id: accountId });
    await ctx.db.transaction(async (tx) => {
      const row = await tx.em.findOneOrFail(CarrierAccount, { id: accountId });
      row.connection = { trunkRef: account.connection?.trunkRef ?? '', messagingProfileRef: null };
    });
    expect(await ask()).toBeNull();
  });
});
