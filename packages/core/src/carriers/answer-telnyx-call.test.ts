import { PhoneNumber, statement } from '@parley/db';
import { ManualClock } from '@parley/runtime';
import { newCallControlId, signAsTelnyx, useTestDatabase } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { makeAssistant, makeVoiceProcess } from '../../test/arrange.ts';
import { arrangeCarrier } from '../../test/carriers.ts';
import { findCall } from '../calls/find-call.ts';
import { claimStream } from '../lifecycle/streamed-call.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { importCarrierNumbers } from './account-numbers.ts';
import type { CarrierCallAnswer } from './answer-carrier-call.ts';
import { answerTelnyxCall, isTelnyxStream } from './answer-telnyx-call.ts';
import { connectCarrierAccount } from './connect-account.ts';

const database = useTestDatabase();
const APPLICATIONS = '/v2/texml_applications';
let numbers = 0;

async function setupAccount() {
  const about = await arrangeCarrier(database.db, 'telnyx', {
    clock: new ManualClock(Date.now()),
    isConnected: false,
  });
  const { ctx, identity, carrier, accountId } = about;
  numbers += 1;
  const phoneNumber = `+1312556${1000 + numbers}`;
  carrier.world.own(phoneNumber, `29${carrier.world.nextId()}`);
  const connect = (inboundCalls?: 'sip_trunk' | 'media_stream', sipAddress: string | null = null) =>
    connectCarrierAccount(ctx, identity, { id: accountId, sipAddress, inboundCalls });
  const importNumber = async () => {
    await importCarrierNumbers(ctx, identity, { accountId, phone_numbers: [phoneNumber] });
    return (await ctx.db.em.findOneOrFail(PhoneNumber, { phoneNumber })).id;
  };
  const connectionOf = () =>
    carrier.world.owned.find((number) => number.phoneNumber === phoneNumber)?.trunkRef;
  const [application, trunk] = [APPLICATIONS, '/v2/credential_connections'].map(
    (path) => () => carrier.world.list(path)[0] ?? {},
  );
  if (!application || !trunk) throw new Error('Two lists were asked for');
  return { ...about, phoneNumber, connect, importNumber, connectionOf, application, trunk };
}

async function setup({ capacity = 5 } = {}) {
  const about = await setupAccount();
  const { ctx, identity, accountId, phoneNumber } = about;
  await ctx.db.query(statement('', 'delete from voice_processes'));
  const fence = await makeVoiceProcess(ctx, capacity);
  await about.connect('media_stream');
  const numberId = await about.importNumber();
  await makeAssistant(ctx, identity, { calls_direction: 'receive', phone_number_id: numberId });
  const clock = ctx.clock as ManualClock;
  /** Telnyx's request, with changed parameters. */
  const formOf = (changes: Record<string, string> = {}): string => {
    const given = { CallSid: newCallControlId(), ConnectionId: String(about.application()['id']) };
    const call = { CallStatus: 'ringing', From: '+12025550123', To: phoneNumber };
    return new URLSearchParams({ ...given, ...call, ...changes }).toString();
  };
  const prove = (body: string, { isForged = false, agoMs = 0 } = {}) => {
    const signed = signAsTelnyx(body, { isForged, at: new Date(clock.now() - agoMs) });
    const proof = { signature: signed['telnyx-signature-ed25519'], timestamp: signed['telnyx-timestamp'] };
    return { accountId, body, ...proof };
  };
  const ask = (changes: Record<string, string> = {}) => answerTelnyxCall(ctx, prove(formOf(changes)));
  const claim = (ticket: string) => claimStream(ctx, { ticket, carrierCallId: null, voiceProcess: fence });
  return { ...about, clock, numberId, formOf, prove, ask, claim };
}

function streamOf(answer: CarrierCallAnswer | null): { url: string; ticket: string; callId: number } {
  if (!answer || !('stream' in answer)) throw new Error('The call was refused');
  return { ...answer.stream, callId: Number(/calls\/(\d+)\/stream$/.exec(answer.stream.url)?.[1]) };
}

describe('an account of Telnyx whose calls are streamed', () => {
  test('has one TeXML application however often it is connected, and its numbers go there', async () => {
    const { accountId, carrier, connect, importNumber, connectionOf, application } = await setupAccount();
    expect(await connect('media_stream')).toMatchObject({
      is_connected: true,
      inbound_calls: 'media_stream',
    });
    await importNumber();
    await connect();
    expect(carrier.world.list(APPLICATIONS)).toHaveLength(1);
    expect(application()).toMatchObject({
      voice_url: `http://parley.test/carriers/${accountId}/calls`,
      voice_method: 'post',
      active: true,
    });
    expect(connectionOf()).toBe(application()['id']);
  });

  test('moves its numbers in both directions, also after an interruption', async () => {
    const { carrier, connect, importNumber, connectionOf, application, trunk } = await setupAccount();
    await connect();
    await importNumber();
    expect(connectionOf()).toBe(trunk()['id']);
    carrier.world.faults.push({ on: /PATCH .*phone_numbers/, how: 'refuse' });
    await expect(connect('media_stream')).rejects.toMatchObject({ kind: 'unavailable' });
    expect(connectionOf()).toBe(trunk()['id']);
    await connect();
    expect(connectionOf()).toBe(application()['id']);
    expect(await connect('sip_trunk')).toMatchObject({ inbound_calls: 'sip_trunk' });
    expect(connectionOf()).toBe(trunk()['id']);
  });

  test('continues an attempt whose answer was lost, without a second application', async () => {
    const { carrier, connect } = await setupAccount();
    carrier.world.faults.push({ on: /POST \/v2\/texml_applications/, how: 'lose-answer' });
    await expect(connect('media_stream')).rejects.toMatchObject({ kind: 'unavailable' });
    await connect('media_stream');
    expect(carrier.world.list(APPLICATIONS)).toHaveLength(1);
  });

  test('is refused for an address without https, and with a SIP address', async () => {
    const { ctx, identity, accountId, connect } = await setupAccount();
    await expect(connect('media_stream', 'sip.parley.example')).rejects.toMatchObject({
      fields: { sip_address: expect.anything() },
    });
    const real = { ...ctx, carrierUrls: { twilio: null, telnyx: null } };
    const insecure = { id: accountId, sipAddress: null, inboundCalls: 'media_stream' } as const;
    await expect(connectCarrierAccount(real, identity, insecure)).rejects.toMatchObject({
      fields: { inbound_calls: [expect.stringContaining('Telnyx streams calls only to an https address')] },
    });
  });
});

describe('a call that Telnyx asks about', () => {
  test('is written, waits for its stream, and belongs to who shows its ticket, once', async () => {
    const { ctx, identity, accountId, ask, claim, phoneNumber } = await setup();
    const { ticket, callId, url } = streamOf(await ask({ CallId: 'x', CallerId: 'ANN' }));
    expect(url).toBe(`ws://parley.test/carriers/${accountId}/calls/${callId}/stream`);
    expect(await findCall(ctx, identity, callId)).toMatchObject({
      type: 'inbound',
      assistant_phone_number: phoneNumber,
      client_phone_number: '+12025550123',
    });
    expect(await claim('wrong')).toBeNull();
    const claims = await Promise.all([claim(ticket), claim(ticket)]);
    expect(claims.filter((one) => one !== null)).toMatchObject([{ call: { callId } }]);
    expect(await claim(ticket)).toBeNull();
  });

  test('is written once when Telnyx asks again, and only the newest ticket is good', async () => {
    const { ask, claim } = await setup();
    const CallSid = newCallControlId();
    const [first, second] = [streamOf(await ask({ CallSid })), streamOf(await ask({ CallSid }))];
    expect(second.callId).toBe(first.callId);
    expect(await claim(first.ticket)).toBeNull();
    expect(await claim(second.ticket)).not.toBeNull();
  });

  test('is refused as busy without a free slot, and rejected for a number of no account', async () => {
    const { ask } = await setup({ capacity: 1 });
    streamOf(await ask());
    expect(await ask()).toEqual({ reject: 'busy' });
    expect(await ask({ To: '+13125559999' })).toEqual({ reject: 'rejected' });
  });

  test.each(['anonymous', 'Restricted', 'sip:ann@example.com'])('from %s has no number', async (From) => {
    const { ctx, identity, ask } = await setup();
    const { callId } = streamOf(await ask({ From }));
    expect(await findCall(ctx, identity, callId)).toMatchObject({ client_phone_number: '' });
  });

  test('of another application of the organisation is rejected, although its signature is right', async () => {
    const { ask } = await setup();
    expect(await ask({ ConnectionId: '1293384000' })).toEqual({ reject: 'rejected' });
    expect(await ask({ CallSid: '' })).toEqual({ reject: 'rejected' });
  });

  test('that was on its way while the account went back to the trunk is still taken', async () => {
    const { connect, ask } = await setup();
    await connect('sip_trunk');
    streamOf(await ask());
  });
});

describe('a request that is not signed', () => {
  test('by Telnyx, now, for this body and account gets no answer', async () => {
    const { ctx, formOf, prove, accountId } = await setup();
    const [body, other] = [formOf(), formOf()];
    const right = prove(body);
    streamOf(await answerTelnyxCall(ctx, right));
    const again = formOf();
    for (const wrong of [
      prove(again, { isForged: true }),
      prove(again, { agoMs: 301_000 }),
      prove(again, { agoMs: -301_000 }),
      { ...prove(again), body: other },
      { ...prove(again), timestamp: String(Number(prove(again).timestamp) + 1) },
      { ...prove(again), signature: '' },
      { ...prove(again), timestamp: '' },
      { ...prove(again), accountId: accountId + 1 },
    ])
      expect(await answerTelnyxCall(ctx, wrong)).toBeNull();
    streamOf(await answerTelnyxCall(ctx, prove(again, { agoMs: 299_000 })));
  });

  test('gets no answer either for an account whose calls were never streamed', async () => {
    const { ctx, connect, accountId } = await setupAccount();
    await connect();
    const signed = signAsTelnyx('CallSid=v3:1', { at: new Date() });
    const proof = { signature: signed['telnyx-signature-ed25519'], timestamp: signed['telnyx-timestamp'] };
    expect(await answerTelnyxCall(ctx, { accountId, body: 'CallSid=v3:1', ...proof })).toBeNull();
  });
});

describe('a stream, whose handshake is not signed', () => {
  test('is connected only while its call waits for it', async () => {
    const { ctx, clock, accountId, ask, claim } = await setup();
    const { callId, ticket } = streamOf(await ask());
    expect(await isTelnyxStream(ctx, { accountId, callId })).toBe(true);
    expect(await isTelnyxStream(ctx, { accountId: accountId + 1, callId })).toBe(false);
    expect(await isTelnyxStream(ctx, { accountId, callId: callId + 1 })).toBe(false);
    await claim(ticket);
    expect(await isTelnyxStream(ctx, { accountId, callId })).toBe(false);
    const late = streamOf(await ask());
    clock.advance(20_001);
    expect(await isTelnyxStream(ctx, { accountId, callId: late.callId })).toBe(false);
    expect(await claim(late.ticket)).toBeNull();
    await sweepCalls(ctx, { hasBeenReachableForMs: 0, unreachable: [] });
  });

  test('of an account of Twilio is not connected without a signature', async () => {
    const { ctx, accountId, ask } = await setup();
    const { callId } = streamOf(await ask());
    await ctx.db.query(statement('', `update carrier_accounts set kind = 'twilio' where id = $1`), [
      accountId,
    ]);
    expect(await isTelnyxStream(ctx, { accountId, callId })).toBe(false);
  });
});
