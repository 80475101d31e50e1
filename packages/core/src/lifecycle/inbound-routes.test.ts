import { randomUUID } from 'node:crypto';
import { inboundRouteBody } from '@parley/contracts';
import { PhoneNumber } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { subscribe } from '../../test/arrange-endpoints.ts';
import {
  arrange,
  endOf,
  freshNumber,
  killVoiceProcess,
  makeAssistant,
  makeNumber,
  makeUser,
} from '../../test/arrange.ts';
import { deleteAssistant } from '../assistants/delete-assistant.ts';
import { updateAssistant } from '../assistants/update-assistant.ts';
import { findCall } from '../calls/find-call.ts';
import { signStream } from '../webhooks/sign-stream.ts';
import { removeInboundRoute, setInboundRoute } from '../trunks/inbound-route.ts';
import { listOwnNumbers } from '../trunks/phone-numbers.ts';
import { acceptInboundCall } from './accept-inbound-call.ts';
import { closeLostCall } from './close-lost-call.ts';
import { finishCall } from './finish-call.ts';
import { recordCallEvent } from './record-call-event.ts';

const database = useTestDatabase();

/** Monday, 11:00 in Berlin. */
const MONDAY_MS = Date.parse('2026-01-05T10:00:00Z');
const HOUR_MS = 3_600_000;
const RECORDING = { key: '2026/01/05/1.wav', durationMs: 9_000, sampleRate: 8_000 };

async function setup() {
  const about = await arrange(database.db);
  const { ctx, clock, identity, fence } = about;
  clock.advance(MONDAY_MS - clock.now());
  const numberId = await makeNumber(about);
  const [row] = await ctx.db.em.find(PhoneNumber, { id: numberId });
  const to = row?.phoneNumber ?? '';
  const makeInbound = async (fields: Record<string, unknown> = {}) =>
    (await makeAssistant(ctx, identity, { calls_direction: 'receive', record_call: false, ...fields })).id;
  const own = await makeInbound({ phone_number_id: numberId });
  const route = (body: unknown) => setInboundRoute(ctx, identity, numberId, inboundRouteBody.parse(body));
  const call = (from = freshNumber()) =>
    acceptInboundCall(ctx, {
      to,
      from,
      sipCallId: randomUUID(),
      sourceAddress: '127.0.0.1',
      voiceProcess: fence,
    });
  /** The call, which must not be refused. */
  const accepted = async (from?: string) => {
    const result = await call(from);
    if (!('call' in result)) throw new Error(`The call was refused: ${result.reason}`);
    return result.call;
  };
  const answered = async () => {
    const { callId } = await accepted();
    const fact = { callId, at: new Date(clock.now()), fence };
    await recordCallEvent(ctx, { ...fact, event: 'ringing' });
    await recordCallEvent(ctx, { ...fact, event: 'answered' });
    return callId;
  };
  const timeline = async (callId: number) => (await findCall(ctx, identity, callId)).events;
  return { ...about, numberId, own, makeInbound, route, call, accepted, answered, timeline };
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

describe('the route of a number', () => {
  it('gives the call to the assistant of the hour, and the timeline says by which rule', async () => {
    const { clock, own, makeInbound, route, accepted, call, timeline } = await setup();
    const office = await makeInbound();
    await route({
      timezone: 'Europe/Berlin',
      rules: [
        {
          days: weekdays,
          from: '09:00',
          until: '17:00',
          action: { type: 'assistant', assistant_id: office },
        },
        { from: '17:00', until: '20:00', action: { type: 'assistant', assistant_id: own } },
      ],
      otherwise: { type: 'reject' },
    });
    const first = await accepted();
    expect(first.assistant.id).toBe(office);
    const routed = { type: 'routed', detail: { rule: 1, action: 'assistant' } };
    expect(await timeline(first.callId)).toContainEqual(expect.objectContaining(routed));
    clock.advance(7 * HOUR_MS);
    expect((await accepted()).assistant.id).toBe(own);
    clock.advance(3 * HOUR_MS);
    expect(await call()).toEqual({ reject: 486, reason: 'route' });
  });

  it('gives callers of a country an assistant of their language', async () => {
    const { own, makeInbound, route, accepted } = await setup();
    const german = await makeInbound();
    const action = { type: 'assistant', assistant_id: german };
    await route({
      timezone: 'UTC',
      rules: [{ caller_countries: ['DE', 'AT', 'CH'], action }],
      otherwise: { type: 'assistant', assistant_id: own },
    });
    expect((await accepted('+4930123456')).assistant.id).toBe(german);
    expect((await accepted()).assistant.id).toBe(own);
    expect((await accepted('anonymous')).assistant.id).toBe(own);
  });

  it('that was removed gives all calls to the assistant of the number again', async () => {
    const { ctx, identity, numberId, own, makeInbound, route, accepted, timeline } = await setup();
    await route({ timezone: 'UTC', otherwise: { type: 'assistant', assistant_id: await makeInbound() } });
    await removeInboundRoute(ctx, identity, numberId);
    const { callId, assistant } = await accepted();
    expect(assistant.id).toBe(own);
    expect((await timeline(callId)).map(({ type }) => type)).not.toContain('routed');
  });

  it('refuses calls of an assistant that is inactive or deleted', async () => {
    const { ctx, identity, makeInbound, route, call } = await setup();
    const office = await makeInbound();
    await route({ timezone: 'UTC', otherwise: { type: 'message', assistant_id: office, text: 'Closed.' } });
    await updateAssistant(ctx, identity, { id: office, changes: { status: 'inactive' } });
    expect(await call()).toEqual({ reject: 480, reason: 'no_assistant' });
    await updateAssistant(ctx, identity, { id: office, changes: { status: 'active' } });
    expect(await call()).toHaveProperty('call');
    await deleteAssistant(ctx, identity, office);
    expect(await call()).toEqual({ reject: 480, reason: 'no_assistant' });
  });

  it('to an agent keeps its assistant for failures, which has no disclosure message', async () => {
    const { ctx, identity, own, makeInbound, route, accepted } = await setup();
    const url = 'wss://agent.example/media';
    const parameters = [{ name: 'from', value: '{{customer_phone}}' }];
    await route({ timezone: 'UTC', otherwise: { type: 'stream', assistant_id: own, url, parameters } });
    const { assistant, answering } = await accepted();
    expect(assistant.id).toBe(own);
    expect(answering).toEqual({ type: 'stream', url, parameters, onFailure: 'assistant' });
    const disclosing = await makeInbound({ disclosure_message: 'This call is recorded.' });
    const otherwise = { type: 'stream', assistant_id: disclosing, url, on_failure: 'hang_up' };
    await expect(route({ timezone: 'UTC', otherwise })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { 'otherwise.assistant_id': [expect.stringContaining('disclosure message') as string] },
    });
    expect(await signStream(ctx, identity.userId, url)).toEqual({
      'x-twilio-signature': expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/) as string,
      'x-parley-signature': expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/) as string,
    });
  });

  it('is read with the number', async () => {
    const { ctx, identity, numberId, own, route } = await setup();
    const menu = {
      type: 'menu',
      assistant_id: own,
      text: 'Press 1 or 2.',
      choices: [
        { key: '1', assistant_id: own },
        { key: '2', assistant_id: own },
      ],
    };
    const body = {
      timezone: 'Europe/Berlin',
      rules: [
        { days: ['sunday'], from: '00:00:00', until: '00:00:00', caller_countries: ['DE'], action: menu },
      ],
      otherwise: { type: 'voicemail', assistant_id: own, text: 'Speak.', max_seconds: 60 },
    };
    expect(await route(body)).toMatchObject({ id: numberId, inbound_route: body });
    const [number] = await listOwnNumbers(ctx, identity);
    expect(number?.inbound_route).toEqual({ ...body, queue: null });
  });

  it('names only inbound assistants of the owner, and belongs to numbers that take calls', async () => {
    const about = await setup();
    const { ctx, identity, assistant: outbound, own, numberId, route } = about;
    const otherwise = { type: 'assistant', assistant_id: own };
    const choices = [
      { key: '1', assistant_id: own },
      { key: '2', assistant_id: outbound.id },
    ];
    const menu = { type: 'menu', assistant_id: own, text: 'Press a key.', choices };
    await expect(route({ timezone: 'UTC', rules: [{ action: menu }], otherwise })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { 'rules.0.action.choices.1.assistant_id': expect.anything() },
    });
    await expect(
      route({ timezone: 'UTC', otherwise: { type: 'assistant', assistant_id: 999_999 } }),
    ).rejects.toMatchObject({ fields: { 'otherwise.assistant_id': expect.anything() } });
    const stranger = await makeUser(ctx);
    const body = inboundRouteBody.parse({ timezone: 'UTC', otherwise: { type: 'reject' } });
    await expect(setInboundRoute(ctx, stranger, numberId, body)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(removeInboundRoute(ctx, stranger, numberId)).rejects.toMatchObject({ kind: 'not-found' });
    const shown = await makeNumber(about, 'Caller ID');
    await expect(setInboundRoute(ctx, identity, shown, body)).rejects.toMatchObject({ kind: 'conflict' });
  });
});

describe('a menu', () => {
  it('offers the assistants that are active', async () => {
    const { ctx, identity, own, makeInbound, route, accepted } = await setup();
    const [english, german] = [await makeInbound(), await makeInbound()];
    const choices = [
      { key: '1', assistant_id: english },
      { key: '2', assistant_id: german },
    ];
    await route({
      timezone: 'UTC',
      otherwise: { type: 'menu', assistant_id: own, text: 'Press 1 or 2.', choices },
    });
    const call = await accepted();
    expect(call.answering).toMatchObject({ type: 'menu', text: 'Press 1 or 2.' });
    expect(call.others.map(({ assistant }) => assistant.id)).toEqual([english, german]);
    await updateAssistant(ctx, identity, { id: english, changes: { status: 'inactive' } });
    expect((await accepted()).answering).toMatchObject({ choices: [{ key: '2', assistantId: german }] });
    await updateAssistant(ctx, identity, { id: german, changes: { status: 'inactive' } });
    expect(await accepted()).toMatchObject({ answering: null, assistant: { id: own } });
  });
});

describe('a message of a caller', () => {
  const SPEAK = { type: 'voicemail', text: 'Please speak after the tone.', max_seconds: 60 };
  const spoken = (endMs: number) => ({
    sender: 'human' as const,
    startedAtMs: MONDAY_MS,
    startMs: endMs - 1_000,
    endMs,
    text: 'Call me back.',
    isInterrupted: false,
    latencyMs: {},
  });

  it('is recorded although the assistant records no calls, and reported with its recording', async () => {
    const about = await setup();
    const { ctx, own, route, answered } = about;
    await route({ timezone: 'UTC', otherwise: { ...SPEAK, assistant_id: own } });
    const { payloads } = await subscribe(about, { events: ['voicemail.received'] });
    const callId = await answered();
    const end = endOf(about, callId);
    await finishCall(ctx, {
      ...end,
      turns: [...end.turns, spoken(5_000)],
      recording: RECORDING,
      transcript: 'AI: Please speak.\nCustomer: Call me back.',
    });
    expect(await payloads()).toMatchObject([
      {
        call_id: callId,
        recording_url: expect.stringMatching(/\.wav$/),
        transcript: 'AI: Please speak.\nCustomer: Call me back.',
      },
    ]);
  });

  it('is not reported where the caller hung up without a word', async () => {
    const about = await setup();
    const { ctx, own, route, answered } = about;
    await route({ timezone: 'UTC', otherwise: { ...SPEAK, assistant_id: own } });
    const { events } = await subscribe(about, { events: ['voicemail.received', 'recording.ready'] });
    await finishCall(ctx, { ...endOf(about, await answered()), recording: RECORDING });
    expect(await events()).toEqual(['recording.ready']);
  });

  it('is reported when the process that recorded it is lost', async () => {
    const about = await setup();
    const { ctx, fence, own, route, answered } = about;
    await route({ timezone: 'UTC', otherwise: { ...SPEAK, assistant_id: own } });
    const { payloads } = await subscribe(about, { events: ['voicemail.received'] });
    const callId = await answered();
    await killVoiceProcess(ctx, fence);
    await closeLostCall({ ...ctx, recordings: { ...ctx.recordings, size: async () => 44_000 } }, callId);
    expect(await payloads()).toMatchObject([{ call_id: callId, transcript: '' }]);
  });

  it('is neither evaluated nor handled by tools', async () => {
    const { own, route, accepted } = await setup();
    await route({ timezone: 'UTC', otherwise: { ...SPEAK, assistant_id: own } });
    const { assistant, tools, recordingKey, answering } = await accepted();
    expect(assistant).toMatchObject({ isPostCallEvaluated: false, isRecorded: true });
    expect(tools).toEqual([]);
    expect(recordingKey).not.toBeNull();
    expect(answering).toEqual({ type: 'voicemail', text: SPEAK.text, maxSeconds: 60 });
  });
});
