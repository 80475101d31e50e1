import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CARRIER_STREAM_PATH } from '@parley/contracts';
import { statement } from '@parley/db';
import { newCallSid, useTestDatabase } from '@parley/testkit';
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { placeWebCall } from '@parley/core';
import { arrangeVoice, storedEnd, type VoiceOptions } from '../test/arrange-voice.ts';
import { InternalAccess } from './internal-access.ts';
import { serveWebCalls } from './web-calls.ts';

const database = useTestDatabase();
const SECRET = 'what our own processes show each other';

/** Makes the call of a browser one that a carrier streams: the carrier's question is tested in core. */
const makeStreamed = statement(
  '',
  `with live as (
     update live_calls set type = 'inbound', sip_call_id = $2, ticket_hash = $3 where call_id = $1 returning call_id)
   update calls set type = 'inbound' from live where id = live.call_id`,
);

async function setup(options: VoiceOptions = {}) {
  const about = await arrangeVoice(database.db, options);
  const { core, identity, assistant, voice } = about;
  const server = createServer();
  serveWebCalls(server, voice, new InternalAccess(SECRET));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { callId } = await placeWebCall(core, identity, { assistantId: assistant.id });
  const callSid = newCallSid();
  const ticket = `ticket of ${callSid}`;
  await core.db.query(makeStreamed, [callId, callSid, createHash('sha256').update(ticket).digest()]);
  /** Opens the stream of a carrier, as the api does. */
  const connect = async (changes: { ticket?: string; callSid?: string; carrier?: string } = {}) => {
    const { carrier = 'twilio' } = changes;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${CARRIER_STREAM_PATH}?carrier=${carrier}`, {
      headers: { authorization: `Bearer ${SECRET}` },
    });
    onTestFinished(() => socket.terminate());
    const closed = once(socket, 'close').then(([code]) => code as number);
    await once(socket, 'open');
    const tell = (event: string, sequenceNumber: number, content: object = {}): void =>
      socket.send(JSON.stringify({ event, sequenceNumber: String(sequenceNumber), ...content }));
    const start = {
      streamSid: callSid.replace('CA', 'MZ'),
      accountSid: callSid.replace('CA', 'AC'),
      callSid: changes.callSid ?? callSid,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters: { ticket: changes.ticket ?? ticket },
    };
    return { socket, closed, tell, ticket, start: () => tell('start', 1, { start }) };
  };
  const talking = () =>
    expect.poll(() => voice.calls.find(callId)?.state(), { timeout: 10_000 }).toBe('talking');
  return { ...about, callId, connect, talking, end: () => storedEnd(core, callId) };
}

test('a stream with a ticket holds a call like any other, until the caller hangs up', async () => {
  const { connect, talking, voice, end, engines } = await setup();
  const stream = await connect();
  stream.start();
  await talking();
  stream.tell('stop', 2);
  expect(await stream.closed).toBe(1000);
  await voice.background.settled();
  expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
  expect([voice.calls.size, engines.released]).toEqual([0, 1]);
});

test('a stream of Telnyx shows the ticket in its own words, and may name the call otherwise than its question did', async () => {
  const { connect, talking, voice, end } = await setup();
  const { socket, closed, ticket } = await connect({ carrier: 'telnyx' });
  const tell = (event: string, content: object): void => socket.send(JSON.stringify({ event, ...content }));
  tell('connected', { version: '1.0.0' });
  const media_format = { encoding: 'PCMU', sample_rate: 8000, channels: 1 };
  const start = { call_control_id: 'v3:another', custom_parameters: { ticket }, media_format };
  tell('start', { sequence_number: '1', stream_id: 'a-b', start });
  await talking();
  tell('stop', { stream_id: 'a-b', stop: {} });
  expect(await closed).toBe(1000);
  await voice.background.settled();
  expect(await end()).toMatchObject({ endedReason: 'customer_hung_up', isLive: false });
});

test('a stream that breaks ends its call with a lost line', async () => {
  const { connect, talking, voice, end } = await setup();
  const stream = await connect();
  stream.start();
  await talking();
  stream.socket.terminate();
  await voice.background.settled();
  expect(await end()).toMatchObject({ endedReason: 'line_lost', isLive: false });
});

test('our hang-up closes the stream, so that the carrier ends the call', async () => {
  const { connect, talking, voice, callId, end } = await setup();
  const stream = await connect();
  stream.start();
  await talking();
  voice.calls.find(callId)?.hangUp({ by: 'operator', reason: 'hang_up_requested' });
  expect(await stream.closed).toBe(1000);
  await voice.background.settled();
  expect(await end()).toMatchObject({ endedReason: 'hang_up_requested', isLive: false });
});

test('a ticket that is wrong, of another call, or used takes no call and no slot', async () => {
  const { connect, talking, voice } = await setup({ capacity: 2 });
  for (const changes of [{ ticket: 'guessed' }, { callSid: newCallSid() }]) {
    const stream = await connect(changes);
    stream.start();
    expect(await stream.closed).toBe(1000);
  }
  const first = await connect();
  first.start();
  await talking();
  const second = await connect();
  second.start();
  expect(await second.closed).toBe(1000);
  expect(voice.calls.size).toBe(1);
  expect(voice.calls.free).toBe(1);
  first.tell('stop', 2);
  await voice.background.settled();
});

test('a connection that does not begin a stream takes no slot, and is closed after 5 s', async () => {
  const { connect, clock, voice } = await setup({ capacity: 1 });
  const stream = await connect();
  expect(voice.calls.free).toBe(1);
  await expect.poll(() => clock.pendingTimers()).toBeGreaterThan(0);
  clock.advance(5_000);
  expect(await stream.closed).toBe(1008);
});

test('a process without a free slot ends the call of the stream at once', async () => {
  const { connect, voice, end } = await setup({ capacity: 1 });
  voice.calls.add({ callId: 1, state: () => 'talking', hangUp: () => undefined });
  const stream = await connect();
  stream.start();
  expect(await stream.closed).toBe(1000);
  await voice.background.settled();
  expect(await end()).toEqual({ status: 'failed', endedReason: 'unavailable', isLive: false });
});

test('a call that cannot be opened closes its stream and is recorded as failed', async () => {
  const { connect, voice, end, engines } = await setup();
  engines.fault = new Error('no such voice');
  const stream = await connect();
  stream.start();
  expect(await stream.closed).toBe(1000);
  await voice.background.settled();
  expect(await end()).toEqual({ status: 'failed', endedReason: 'internal_error', isLive: false });
});
