import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CARRIER_STREAM_PATH } from '@parley/contracts';
import { registerVoiceProcess, signAsTwilio } from '@parley/core';
import { statement } from '@parley/db';
import { placeTwilioCall, TWILIO_ACCOUNT, useTestDatabase, type SimulatedCall } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
const INTERNAL_SECRET = 'the internal secret of this test, long enough';
const NUMBER = '+13125550143';
const KEEP_LEASE = statement('', `update voice_processes set lease_until = now() + interval '1 hour'`);
let live: LiveApi;
let voice: Server;
let accountId: number;
/** What the simulated voice process received: path, authorization, and the first message with a number. */
const streams: {
  url: string | undefined;
  authorization: string | undefined;
  start: Record<string, unknown>;
}[] = [];

beforeAll(async () => {
  voice = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  voice.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      const { url, headers } = request;
      client.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { event: string; start: Record<string, unknown> };
        if (message.event !== 'start') return;
        streams.push({ url, authorization: headers.authorization, start: message.start });
        client.close(1000);
      });
    });
  });
  voice.listen(0, '127.0.0.1');
  await once(voice, 'listening');
  const voiceUrl = `http://127.0.0.1:${(voice.address() as AddressInfo).port}`;
  live = await startLiveApi({ db: database.db, settings: { INTERNAL_SECRET } });
  await registerVoiceProcess(live.core, { url: voiceUrl, sipAddress: '127.0.0.1:5060', capacity: 100 });
  // However slow the machine is.
  await live.core.db.query(KEEP_LEASE);
  live.twilio.world.own(NUMBER, `PN${live.twilio.world.nextId()}`);
  accountId = await make('carrier-accounts', {
    name: 'Streams',
    kind: 'twilio',
    account_sid: TWILIO_ACCOUNT.sid,
    secret: TWILIO_ACCOUNT.token,
  });
  await make(`carrier-accounts/${accountId}/connect`, { inbound_calls: 'media_stream' });
  const imported = await live.ask(`/api/user/carrier-accounts/${accountId}/numbers`, {
    method: 'POST',
    body: { phone_numbers: [NUMBER] },
  });
  const [number] = (imported.body as { data: { id: number }[] }).data;
  const assistants = (await live.ask('/api/user/assistants')).body as { id: number; type: string }[];
  const action = { type: 'assistant', assistant_id: assistants.find(({ type }) => type === 'inbound')?.id };
  await live.ask(`/api/user/phone-numbers/${number?.id}/inbound-route`, {
    method: 'PUT',
    body: { timezone: 'UTC', rules: [], otherwise: action },
  });
});

afterAll(async () => {
  await live.stop();
  voice.closeAllConnections();
  voice.close();
});

async function make(path: string, body: object): Promise<number> {
  const answer = await live.ask(`/api/user/${path}`, { method: 'POST', body });
  return (answer.body as { data: { id: number } }).data.id;
}

const ring = (changes: Partial<SimulatedCall> = {}) =>
  placeTwilioCall(live.twilio, { from: '+12025550123', to: NUMBER, ...changes });

/** The status of a handshake that is refused. */
async function refusedStatus(path: string, signature?: string): Promise<number | undefined> {
  const headers = signature === undefined ? {} : { 'x-twilio-signature': signature };
  const socket = new WebSocket(`${live.url.replace('http', 'ws')}${path}`, { headers });
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode?: number; resume(): void },
  ];
  response.resume();
  return response.statusCode;
}

test('a signed call is answered with TwiML, and its stream reaches the voice process of the call with its ticket', async () => {
  const verdict = await ring();
  if (!('stream' in verdict)) throw new Error('The call was refused');
  const { stream } = verdict;
  expect(await stream.ended).toBe(1000);
  expect(streams.at(-1)).toMatchObject({
    url: `${CARRIER_STREAM_PATH}?carrier=twilio`,
    authorization: `Bearer ${INTERNAL_SECRET}`,
    start: { callSid: stream.callSid, customParameters: { ticket: expect.stringMatching(/^[\w-]{43}$/) } },
  });
  expect(stream.faults).toEqual([]);
});

test('a call to a number that has been removed is refused in TwiML', async () => {
  live.twilio.world.own('+13125550144', `PN${live.twilio.world.nextId()}`);
  const number = live.twilio.world.owned.at(-1);
  Object.assign(number ?? {}, {
    applicationRef: live.twilio.world.owned.find(({ phoneNumber }) => phoneNumber === NUMBER)?.applicationRef,
  });
  expect(await ring({ to: '+13125550144' })).toEqual({ rejected: 'rejected' });
});

test('a call without the right signature gets what an account that does not exist gets', async () => {
  expect(await ring({ token: 'another token' })).toEqual({ status: 404 });
  const answers = [];
  const own = `/carriers/${accountId}/calls`;
  const paths = [own, `${own}/1/status`, `${own}/x/status`, '/carriers/999/calls', '/carriers/x/calls'];
  for (const path of [...paths, '/carriers/999/calls/1/status']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(live.url + path, { method: 'POST', headers, body: 'CallSid=CA1' });
    answers.push([response.status, response.headers.get('content-type'), await response.json()]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1);
  expect(answers[0]?.slice(0, 2)).toEqual([404, 'application/json; charset=utf-8']);
});

test('a body that is too long, or no form, is refused', async () => {
  const send = (type: string, body: string) =>
    fetch(`${live.url}/carriers/${accountId}/calls`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
  const tooLong = await send('application/x-www-form-urlencoded', `a=${'x'.repeat(20_000)}`);
  expect(tooLong.status).toBe(413);
  expect(await tooLong.json()).toMatchObject({
    message: 'The request body must not be larger than 16 KiB.',
  });
  expect((await send('application/json', '{}')).status).toBe(404);
});

test('a stream without a signature, with one of another address, or of a call that is over is not connected', async () => {
  const count = streams.length;
  const path = (callId: number) => `/carriers/${accountId}/calls/${callId}/stream`;
  const signed = (callId: number) =>
    signAsTwilio(TWILIO_ACCOUNT.token, `${live.url.replace('http', 'ws')}${path(callId)}`);
  expect(await refusedStatus(path(1))).toBe(404);
  expect(await refusedStatus(path(1), signed(2))).toBe(404);
  expect(await refusedStatus('/carriers/999/calls/1/stream', signed(1))).toBe(404);
  expect(await refusedStatus(path(999_999), signed(999_999))).toBe(503);
  expect(streams).toHaveLength(count);
});
