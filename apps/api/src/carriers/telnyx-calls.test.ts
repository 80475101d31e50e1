import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CARRIER_STREAM_PATH } from '@parley/contracts';
import { registerVoiceProcess } from '@parley/core';
import { statement } from '@parley/db';
import { placeTelnyxCall, TELNYX_KEY, useTestDatabase, type SimulatedTelnyxCall } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
const INTERNAL_SECRET = 'the internal secret of this test, long enough';
const NUMBER = '+13125550145';
const KEEP_LEASE = statement('', `update voice_processes set lease_until = now() + interval '1 hour'`);
let live: LiveApi;
let voice: Server;
let accountId: number;
/** What the simulated voice process received. */
const streams: { url: string | undefined; start: Record<string, unknown> }[] = [];

beforeAll(async () => {
  voice = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  voice.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { event: string; start: Record<string, unknown> };
        if (message.event !== 'start') return;
        streams.push({ url: request.url, start: message.start });
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
  live.telnyx.world.own(NUMBER, `29${live.telnyx.world.nextId()}`);
  const account = { name: 'Streams', kind: 'telnyx', secret: TELNYX_KEY };
  accountId = await make('carrier-accounts', account);
  await make(`carrier-accounts/${accountId}/connect`, { inbound_calls: 'media_stream' });
  const path = `/api/user/carrier-accounts/${accountId}/numbers`;
  const imported = await live.ask(path, { method: 'POST', body: { phone_numbers: [NUMBER] } });
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

const ring = (changes: Partial<SimulatedTelnyxCall> = {}) =>
  placeTelnyxCall(live.telnyx, { from: '+12025550123', to: NUMBER, ...changes });

/** The status of a handshake; 101 when it succeeds. */
async function handshakeStatus(path: string): Promise<number | undefined> {
  const socket = new WebSocket(`${live.url.replace('http', 'ws')}${path}`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.close();
      resolve(101);
    });
    socket.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
}

test('a signed call is answered with TeXML, and its stream reaches voice as one of Telnyx, with its ticket', async () => {
  const verdict = await ring();
  if (!('stream' in verdict)) throw new Error('The call was refused');
  expect(await verdict.stream.ended).toBe(1000);
  expect(streams.at(-1)).toMatchObject({
    url: `${CARRIER_STREAM_PATH}?carrier=telnyx`,
    start: {
      call_control_id: verdict.stream.callSid,
      custom_parameters: { ticket: expect.stringMatching(/^[\w-]{43}$/) },
    },
  });
  expect(verdict.stream.faults).toEqual([]);
});

test('a call is refused in TeXML, and a forged or old request gets what an account that does not exist gets', async () => {
  expect(await ring({ form: { ConnectionId: '1' } })).toEqual({ rejected: 'rejected' });
  expect(await ring({ isForged: true })).toEqual({ status: 404 });
  expect(await ring({ signedAgoSeconds: 400 })).toEqual({ status: 404 });
});

test('a stream is connected only for a call of this account that waits for it', async () => {
  const verdict = await ring({ neverConnects: true });
  expect(verdict).toHaveProperty('stream');
  const [newest] = await live.core.db.query(
    statement<{ callId: number }>('', 'select max(call_id) as call_id from live_calls'),
    [],
  );
  const callId = newest?.callId ?? 0;
  const path = (account: number, call: number) => `/carriers/${account}/calls/${call}/stream`;
  expect(await handshakeStatus(path(accountId, callId + 1))).toBe(404);
  expect(await handshakeStatus(path(accountId + 1, callId))).toBe(404);
  expect(await handshakeStatus(path(accountId, callId))).toBe(101);
  await live.core.db.query(
    statement('', 'update live_calls set ticket_expires_at = now() where call_id = $1'),
    [callId],
  );
  expect(await handshakeStatus(path(accountId, callId))).toBe(404);
});
