import { statement } from '@parley/db';
import { TWILIO_ACCOUNT, useTestDatabase } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { arrangeStreamedDial } from '../../test/arrange-streamed-dial.ts';
import { killVoiceProcess } from '../../test/arrange.ts';
import { loadCallForVoice } from '../calls/load-call-for-voice.ts';
import { findCall } from '../calls/find-call.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { listCarrierAccounts } from './accounts.ts';
import { takeCarrierReport } from './carrier-call-status.ts';
import { connectCarrierAccount } from './connect-account.ts';
import { endCarrierCall } from './end-carrier-call.ts';
import { signAsTwilio } from './twilio-signature.ts';

const database = useTestDatabase();
const SID = `CA${'e'.repeat(32)}`;
const OTHER = `CA${'f'.repeat(32)}`;

const removeNumbers = statement('', 'delete from phone_numbers where carrier_account_id = $1');
const removeAccount = statement('', 'delete from carrier_accounts where id = $1');

async function setup() {
  const about = await arrangeStreamedDial(database.db, 'twilio');
  const { ctx, accountId, callId } = about;
  /** Twilio's report, with changed parameters. */
  const report = (changes: Record<string, string> = {}, token: string = TWILIO_ACCOUNT.token) => {
    const given = { AccountSid: TWILIO_ACCOUNT.sid, CallSid: SID, CallStatus: 'ringing', ...changes };
    const parameters = Object.entries(given);
    const url = `http://parley.test/carriers/${accountId}/calls/${callId}/status`;
    const signature = signAsTwilio(token, url, parameters);
    return takeCarrierReport(ctx, { accountId, callId, parameters, signature });
  };
  return { ...about, report };
}

describe('the way of outbound calls', () => {
  test('is chosen when an account is connected, kept without a choice, and independent of inbound calls', async () => {
    const { ctx, identity, connect, callId } = await setup();
    const way = async () => (await listCarrierAccounts(ctx, identity))[0]?.outbound_calls;
    const account = async () => (await loadCallForVoice(ctx, callId)).trunk?.streamingAccountId;
    await connect({ outboundCalls: undefined });
    expect([await way(), typeof (await account())]).toEqual(['media_stream', 'number']);
    const sip = { inboundCalls: 'sip_trunk', sipAddress: 'sip.parley.example', outboundCalls: undefined };
    await connect(sip);
    expect(await listCarrierAccounts(ctx, identity)).toMatchObject([
      { inbound_calls: 'sip_trunk', outbound_calls: 'media_stream' },
    ]);
    await connect({ ...sip, outboundCalls: 'sip_trunk' });
    expect([await way(), await account()]).toEqual(['sip_trunk', null]);
  });

  test('is refused without https', async () => {
    const { ctx, identity, accountId } = await setup();
    const real = { ...ctx, carrierUrls: { twilio: null, telnyx: null } };
    const fields = { outbound_calls: expect.anything() as unknown };
    const asked = {
      sipAddress: 'sip.parley.example',
      inboundCalls: 'sip_trunk',
      outboundCalls: 'media_stream',
    } as const;
    await expect(connectCarrierAccount(real, identity, { id: accountId, ...asked })).rejects.toMatchObject({
      fields,
    });
  });
});

describe('the one request of an attempt', () => {
  test('has the stream of the call with its ticket, and the address of its reports', async () => {
    const { carrier, accountId, callId, from, to, open, placed, bound } = await setup();
    const dial = await open();
    const answer = await dial.place();
    const [call] = carrier.world.dials;
    expect(answer).toEqual({ result: 'accepted', callSid: call?.callSid, queueMs: 0 });
    const address = `parley.test/carriers/${accountId}/calls/${callId}`;
    expect(call?.form).toMatchObject({
      From: from,
      To: to,
      Timeout: '45',
      StatusCallback: `http://${address}/status`,
    });
    expect(call?.form['Twiml']).toContain(`<Stream url="ws://${address}/stream">`);
    expect(call?.form['Twiml']).toContain(`value="${dial.ticket}"`);
    expect(dial.ticket).toMatch(new RegExp(`^${callId}\\.[\\w-]{43}$`));
    await dial.bind(call?.callSid ?? '');
    expect([placed(), await bound()]).toEqual([1, call?.callSid]);
    expect(await dial.look(call?.callSid ?? '')).toMatch(/queued|ringing/);
    await dial.end(call?.callSid ?? '');
    await dial.end(call?.callSid ?? '');
    expect(call?.state).toBe('canceled');
  });

  test.each([
    ['lose-answer', 'unknown', 1],
    ['fail', 'unknown', 0],
    ['refuse', 'unknown', 0],
    ['rate-limit', 'unreachable', 0],
  ] as const)('is not repeated (%s)', async (how, result, calls) => {
    const { carrier, open, placed } = await setup();
    carrier.world.faults.push({ on: /POST .*\/Calls\.json/, how });
    expect(await (await open()).place()).toMatchObject({ result });
    expect([placed(), carrier.world.dials.length]).toEqual([1, calls]);
  });

  test('that Twilio refuses, or that cannot be sent, rings no phone', async () => {
    const refused = await setup();
    refused.carrier.world.owned.splice(0);
    expect(await (await refused.open()).place()).toEqual({
      result: 'refused',
      detail: expect.stringContaining('Twilio error 21210') as unknown,
    });
    const gone = await setup();
    const dial = await gone.open();
    await gone.carrier.close();
    expect(await dial.place()).toMatchObject({ result: 'unreachable' });
  });
});

describe('a report', () => {
  test('stores the id of the call, and goes to its voice process', async () => {
    const { open, report, bound, toEnd } = await setup();
    await open();
    const taken = await report({ CallStatus: 'busy', SipResponseCode: '486' });
    const expected = { carrierCallId: SID, state: 'busy', sipStatus: 486 };
    expect(taken).toEqual({ report: expected, voiceUrl: expect.stringMatching(/^http/) as unknown });
    expect(await report()).toMatchObject({ report: { state: 'ringing' } });
    expect([await bound(), await toEnd()]).toEqual([SID, []]);
  });

  test('that is not signed, or of another kind, changes nothing', async () => {
    const { open, report, bound } = await setup();
    await open();
    expect(await report({}, 'another token')).toBeNull();
    const notOurs = { report: null, voiceUrl: null };
    expect(await report({ CallStatus: 'flying' })).toEqual(notOurs);
    expect(await report({ AccountSid: `AC${'0'.repeat(32)}` })).toEqual(notOurs);
    expect(await report({ CallSid: 'CA1' })).toEqual(notOurs);
    expect(await bound()).toBeNull();
  });

  test('about a second call of an attempt, or one without permission, ends that call', async () => {
    const { open, report, bound, toEnd } = await setup();
    expect(await report({ CallSid: OTHER })).toMatchObject({ voiceUrl: null });
    expect([await bound(), await toEnd()]).toEqual([null, [OTHER]]);
    await open();
    await report();
    const third = `CA${'1'.repeat(32)}`;
    expect(await report({ CallSid: third })).toMatchObject({ voiceUrl: null });
    expect([await bound(), await toEnd()]).toEqual([SID, [OTHER, third]]);
  });

  test('about a call of another account ends only the call of the account that has signed it', async () => {
    const { ctx, callId, open, bound } = await setup();
    await open();
    const stranger = await setup();
    const parameters = Object.entries({
      AccountSid: TWILIO_ACCOUNT.sid,
      CallSid: OTHER,
      CallStatus: 'ringing',
    });
    const url = `http://parley.test/carriers/${stranger.accountId}/calls/${callId}/status`;
    const signature = signAsTwilio(TWILIO_ACCOUNT.token, url, parameters);
    const asked = { accountId: stranger.accountId, callId, parameters, signature };
    expect(await takeCarrierReport(ctx, asked)).toMatchObject({ voiceUrl: null });
    expect([await bound(), await stranger.toEnd()]).toEqual([null, [OTHER]]);
  });
});

describe('a voice process that is lost', () => {
  const lose = async ({ ctx, fence }: Awaited<ReturnType<typeof setup>>): Promise<void> => {
    await killVoiceProcess(ctx, fence);
    await sweepCalls(ctx, { hasBeenReachableForMs: 60_000, unreachable: [] });
  };

  test('while the phone rings: the call is ended at Twilio, also if Twilio does not answer at first', async () => {
    const about = await setup();
    const { ctx, identity, callId, carrier, accountId, open, toEnd } = about;
    const dial = await open();
    await dial.place();
    const [call] = carrier.world.dials;
    await dial.bind(call?.callSid ?? '');
    await lose(about);
    expect(await findCall(ctx, identity, callId)).toMatchObject({
      status: 'failed',
      ended_reason: 'process_lost',
    });
    expect(await toEnd()).toEqual([call?.callSid]);
    carrier.world.faults.push({ on: /POST .*\/Calls\/CA/, how: 'fail' });
    const job = { carrierAccountId: accountId, carrierCallId: call?.callSid ?? '' };
    await expect(endCarrierCall(ctx, job)).rejects.toMatchObject({ kind: 'uncertain' });
    await endCarrierCall(ctx, job);
    await endCarrierCall(ctx, job);
    expect(call?.state).toBe('canceled');
    await ctx.db.query(removeNumbers, [accountId]);
    await ctx.db.query(removeAccount, [accountId]);
    await endCarrierCall(ctx, job);
  });

  test('between the request and its answer: the first report ends the call, and no other one is placed', async () => {
    const about = await setup();
    const { carrier, open, report, toEnd, placed } = about;
    carrier.world.faults.push({ on: /POST .*\/Calls\.json/, how: 'lose-answer' });
    await (await open()).place();
    await lose(about);
    expect(await toEnd()).toEqual([]);
    await report();
    await report({ CallStatus: 'in-progress' });
    expect([placed(), await toEnd()]).toEqual([1, [SID]]);
    await report({ CallStatus: 'completed', CallSid: OTHER });
    expect(await toEnd()).toEqual([SID]);
  });
});
