import type { CarrierInboundWay } from '@parley/contracts';
import { statement } from '@parley/db';
import { newCallControlId, signAsTelnyx, useTestDatabase } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import { arrangeStreamedDial } from '../../test/arrange-streamed-dial.ts';
import { killVoiceProcess } from '../../test/arrange.ts';
import { sweepCalls } from '../lifecycle/sweep-calls.ts';
import { isTelnyxStream } from './answer-telnyx-call.ts';
import { takeTelnyxReport } from './carrier-call-status.ts';
import { endCarrierCall } from './end-carrier-call.ts';

const database = useTestDatabase();
const PLACE = /^POST .*\/Calls$/;

const answerCall = statement('', 'update live_calls set answered_at = now() where call_id = $1');
const addCallLike = statement(
  '',
  `insert into live_calls
   select (jsonb_populate_record(l, jsonb_build_object('call_id', $2::bigint, 'client_phone_number', '+12025550999', 'sip_call_id', 'other'))).*
   from live_calls l where call_id = $1`,
);
const forgetOrganisation = statement(
  '',
  `update carrier_accounts set connection = connection #- '{streamKey,organisationRef}' where id = $1`,
);

/** @param inboundCalls - the way of calls to the number */
async function setup(inboundCalls?: CarrierInboundWay) {
  const about = await arrangeStreamedDial(database.db, 'telnyx', inboundCalls);
  const { ctx, accountId, callId, carrier, clock } = about;
  const applicationId = String(carrier.world.list('/v2/texml_applications')[0]?.['id']);
  /** Telnyx's report, with changed parameters. */
  const report = (
    changes: Record<string, string> = {},
    { isForged = false, agoMs = 0, about: reported = callId } = {},
  ) => {
    const given = { CallSid: newCallControlId(), CallStatus: 'ringing', ConnectionId: applicationId };
    const body = new URLSearchParams({ ...given, ...changes }).toString();
    const signed = signAsTelnyx(body, { isForged, at: new Date(clock.now() - agoMs) });
    const proof = { signature: signed['telnyx-signature-ed25519'], timestamp: signed['telnyx-timestamp'] };
    return takeTelnyxReport(ctx, { accountId, callId: reported, body, ...proof });
  };
  return { ...about, applicationId, report };
}

describe('the one request of an attempt', () => {
  test('has the stream of the call with its ticket, and the address of its reports; its answer names no call', async () => {
    const { carrier, accountId, applicationId, callId, from, to, open, placed } = await setup();
    const dial = await open();
    expect(await dial.place()).toMatchObject({ result: 'unknown' });
    const [call] = carrier.world.dials;
    const address = `parley.test/carriers/${accountId}/calls/${callId}`;
    expect(call?.form).toMatchObject({
      ApplicationSid: applicationId,
      From: from,
      To: to,
      Timeout: '45',
      StatusCallback: `http://${address}/status`,
    });
    expect(call?.form['Texml']).toContain(`<Stream url="ws://${address}/stream" track="inbound_track"`);
    expect(call?.form['Texml']).toContain(`value="${dial.ticket}"`);
    expect([placed(), dial.isNamedByStream]).toEqual([1, false]);
  });

  test('leaves too where inbound calls come over SIP', async () => {
    const { carrier, open, from } = await setup('sip_trunk');
    await (await open()).place();
    expect(carrier.world.dials).toHaveLength(1);
    const [trunk] = carrier.world.list('/v2/credential_connections');
    const number = carrier.world.owned.find(({ phoneNumber }) => phoneNumber === from);
    expect(number?.trunkRef).toBe(trunk?.['id']);
  });

  test.each([
    ['lose-answer', 'unknown', 1],
    ['fail', 'unknown', 0],
    ['refuse', 'unknown', 0],
    ['rate-limit', 'unreachable', 0],
  ] as const)('is not repeated (%s)', async (how, result, calls) => {
    const { carrier, open, placed } = await setup();
    carrier.world.faults.push({ on: PLACE, how });
    expect(await (await open()).place()).toMatchObject({ result });
    expect([placed(), carrier.world.dials.length]).toEqual([1, calls]);
  });

  test('that Telnyx refuses, or that cannot be sent, rings no phone', async () => {
    const refused = await setup();
    refused.carrier.world.owned.splice(0);
    const detail: unknown = expect.stringContaining('Telnyx error 10015');
    expect(await (await refused.open()).place()).toEqual({ result: 'refused', detail });
    const gone = await setup();
    const dial = await gone.open();
    await gone.carrier.close();
    expect(await dial.place()).toMatchObject({ result: 'unreachable' });
    const old = await setup();
    await old.ctx.db.query(forgetOrganisation, [old.accountId]);
    expect(await (await old.open()).place()).toEqual({
      result: 'refused',
      detail: 'The account has to be connected again.',
    });
    expect(old.placed()).toBe(0);
  });
});

describe('a report', () => {
  test('names the call, which can then be looked at and ended', async () => {
    const { carrier, open, report, bound, toEnd } = await setup();
    const dial = await open();
    await dial.place();
    const [call] = carrier.world.dials;
    const sid = call?.callSid ?? '';
    const expected = { carrierCallId: sid, state: 'ringing', sipStatus: null };
    const voiceUrl: unknown = expect.stringMatching(/^http/);
    expect(await report({ CallSid: sid })).toEqual({ report: expected, voiceUrl });
    expect(await report({ CallSid: sid, CallStatus: 'busy' })).toMatchObject({ report: { state: 'busy' } });
    expect([await bound(), await toEnd()]).toEqual([sid, []]);
    expect(await dial.look(sid)).toBe('ringing');
    await dial.end(sid);
    await dial.end(sid);
    expect(call?.state).toBe('canceled');
  });

  test.each([
    ['busy', undefined, '486', { state: 'busy', sipStatus: 486 }],
    ['failed', undefined, '404', { state: 'failed', sipStatus: 404 }],
    ['failed', 'user_busy', 'unspecified', { state: 'busy', sipStatus: null }],
    ['no-answer', undefined, '487', { state: 'no-answer', sipStatus: 487 }],
    ['completed', 'user_busy', '486', { state: 'busy', sipStatus: 486 }],
    ['completed', 'timeout', '408', { state: 'no-answer', sipStatus: 408 }],
    ['completed', 'no_answer', 'unspecified', { state: 'no-answer', sipStatus: null }],
    ['completed', 'call_rejected', '603', { state: 'failed', sipStatus: 603 }],
    ['completed', 'not_found', '404', { state: 'failed', sipStatus: 404 }],
    ['completed', 'originator_cancel', '487', { state: 'canceled', sipStatus: 487 }],
    ['completed', 'normal_clearing', '200', { state: 'completed', sipStatus: 200 }],
    ['completed', 'constructor', '', { state: 'completed', sipStatus: null }],
    ['in-progress', 'user_busy', '', { state: 'in-progress', sipStatus: null }],
  ] as const)(
    'with the status %s and the cause %s says how the call ended',
    async (CallStatus, HangupCause, SipHangupCause, expected) => {
      const { open, report } = await setup();
      await open();
      const cause = HangupCause === undefined ? {} : { HangupCause };
      expect(await report({ CallStatus, SipHangupCause, ...cause })).toMatchObject({ report: expected });
    },
  );

  test('that is forged, old, or of another application or kind changes nothing', async () => {
    const { open, report, bound } = await setup();
    await open();
    expect(await report({}, { isForged: true })).toBeNull();
    expect(await report({}, { agoMs: 400_000 })).toBeNull();
    const notOurs = { report: null, voiceUrl: null };
    expect(await report({ ConnectionId: '1' })).toEqual(notOurs);
    expect(await report({ CallStatus: 'analyzed' })).toEqual(notOurs);
    expect(await report({ CallSid: '../../balance' })).toEqual(notOurs);
    expect(await bound()).toBeNull();
  });

  test('about a second call of an attempt, or one without permission, ends that call', async () => {
    const { open, report, bound, toEnd } = await setup();
    const [before, first, second] = [newCallControlId(), newCallControlId(), newCallControlId()];
    expect(await report({ CallSid: before })).toMatchObject({ voiceUrl: null });
    await open();
    await report({ CallSid: first });
    expect(await report({ CallSid: second })).toMatchObject({ voiceUrl: null });
    expect([await bound(), await toEnd()]).toEqual([first, [before, second]]);
  });
});

test('a report that is repeated at the address of another call of the account binds and ends neither', async () => {
  const { ctx, callId, open, report, bound, toEnd } = await setup();
  await open();
  const other = callId + 1_000_000;
  await ctx.db.query(addCallLike, [callId, other]);
  const sid = newCallControlId();
  const status = { CallSid: sid, CallStatus: 'in-progress' };
  await report(status);
  expect(await report(status, { about: other })).toMatchObject({ voiceUrl: null });
  expect(await report(status, { about: other + 1 })).toMatchObject({ voiceUrl: null });
  expect([await bound(), await toEnd()]).toEqual([sid, []]);
  const own = newCallControlId();
  expect(await report({ CallSid: own }, { about: other })).toMatchObject({
    voiceUrl: expect.stringMatching(/^http/) as string,
  });
  expect(await toEnd()).toEqual([]);
});

test('a stream is connected from the permission to the answer', async () => {
  const { ctx, accountId, callId, open } = await setup();
  const isExpected = () => isTelnyxStream(ctx, { accountId, callId });
  expect(await isExpected()).toBe(false);
  await open();
  expect([await isExpected(), await isTelnyxStream(ctx, { accountId: accountId + 1, callId })]).toEqual([
    true,
    false,
  ]);
  await ctx.db.query(answerCall, [callId]);
  expect(await isExpected()).toBe(false);
});

test('a voice process that is lost while the phone rings: the call is ended at Telnyx', async () => {
  const { ctx, accountId, carrier, fence, open, report, toEnd } = await setup();
  await (await open()).place();
  const [call] = carrier.world.dials;
  const carrierCallId = call?.callSid ?? '';
  await report({ CallSid: carrierCallId });
  await killVoiceProcess(ctx, fence);
  await sweepCalls(ctx, { hasBeenReachableForMs: 60_000, unreachable: [] });
  expect(await toEnd()).toEqual([carrierCallId]);
  carrier.world.faults.push({ on: /POST .*\/Calls\//, how: 'fail' });
  const job = { carrierAccountId: accountId, carrierCallId };
  await expect(endCarrierCall(ctx, job)).rejects.toMatchObject({ kind: 'uncertain' });
  await endCarrierCall(ctx, job);
  await endCarrierCall(ctx, job);
  expect(call?.state).toBe('canceled');
});
