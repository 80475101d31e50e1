import { findRecordingByUrl, finishCall, loadCallForVoice, recordCallEvent } from '@parley/core';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../test/live-api.ts';

const database = useTestDatabase();
const SOUND = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
let live: LiveApi;
let address: string;
let callId: number;

/** A recorded call, in the form that voice stores. */
beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
  const assistant = await live.ask('/api/user/assistant', {
    method: 'POST',
    body: newAssistant({ record_call: true }),
  });
  const assistant_id = (assistant.body as { data: { id: number } }).data.id;
  const body = { phone_number: '+12025550191', assistant_id };
  const placed = await live.ask('/api/user/make_call', { method: 'POST', body });
  callId = (placed.body as { call_id: number }).call_id;
  const at = new Date(live.core.clock.now());
  await recordCallEvent(live.core, { callId, event: 'answered', at });
  const key = (await loadCallForVoice(live.core, callId)).recordingKey ?? '';
  const writer = await live.core.recordings.createWriter(key);
  await writer.write(SOUND, 0);
  await writer.close();
  await finishCall(live.core, {
    callId,
    event: 'customer-hung-up',
    at,
    transcript: '',
    turns: [],
    toolCalls: [],
    variables: {},
    recording: { key, durationMs: 62, sampleRate: 8000 },
    answeredBy: 'human',
    endedReason: 'customer_hung_up',
  });
  const call = await live.ask(`/api/user/calls/${callId}`);
  address = (call.body as { recording_url: string }).recording_url;
});

afterAll(() => live.stop());

const fetchBytes = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(url, { headers, method });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

test('a recording is served at the URL of its call record, without a token', async () => {
  expect(address).toMatch(new RegExp(`^${live.url}/recordings/${callId}/\\d{10}-[\\w-]{43}\\.wav$`));
  const { status, headers, bytes } = await fetchBytes(address);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('audio/wav');
  expect(headers.get('content-length')).toBe('1000');
  expect(headers.get('accept-ranges')).toBe('bytes');
  expect(bytes.equals(SOUND)).toBe(true);
});

test('a player may seek', async () => {
  const { status, headers, bytes } = await fetchBytes(address, { range: 'bytes=100-199' });
  expect(status).toBe(206);
  expect(headers.get('content-range')).toBe('bytes 100-199/1000');
  expect(bytes.equals(SOUND.subarray(100, 200))).toBe(true);
});

test('a range past the end is 416', async () => {
  const { status, headers } = await fetchBytes(address, { range: 'bytes=1000-' });
  expect(status).toBe(416);
  expect(headers.get('content-range')).toBe('bytes */1000');
});

test('HEAD answers with the size and no body', async () => {
  const { status, headers, bytes } = await fetchBytes(address, {}, 'HEAD');
  expect(status).toBe(200);
  expect(headers.get('content-length')).toBe('1000');
  expect(bytes.length).toBe(0);
});

test.each([
  ['another signature', (url: string) => url.replace(/-[\w-]{43}\./, `-${'A'.repeat(43)}.`)],
  ['another call', (url: string) => url.replace(`/recordings/${callId}/`, `/recordings/${callId + 1}/`)],
  ['an invalid call id', (url: string) => url.replace(`/recordings/${callId}/`, '/recordings/x/')],
  ['another ending', (url: string) => url.replace('.wav', '.mp3')],
  ['a path outside the folder', (url: string) => url.replace(/\d+-[\w-]{43}\.wav/, '..%2F..%2Fsecrets.wav')],
])('%s is 404', async (_name, change) => {
  expect((await fetchBytes(change(address))).status).toBe(404);
});

test('an expired link is 404', async () => {
  const expired = address.replace(/\/\d{10}-/, '/1700000000-');
  expect((await fetchBytes(expired)).status).toBe(404);
});

test('the address is invalid once the recording is deleted', async () => {
  const stored = await loadKey();
  await live.core.recordings.remove(stored);
  expect((await fetchBytes(address)).status).toBe(404);
  const writer = await live.core.recordings.createWriter(stored);
  await writer.write(SOUND, 0);
  await writer.close();
});

async function loadKey(): Promise<string> {
  const signature = /(\d+-[\w-]{43})\.wav$/.exec(address)?.[1] ?? '';
  return (await findRecordingByUrl(live.core, { callId, signature }))?.key ?? '';
}
