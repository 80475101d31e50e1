import { sipTraceRecord } from '@parley/contracts';
import { storeSipTrace } from '@parley/core';
import { newAssistant, useTestDatabase } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveApi, type LiveApi } from '../../test/live-api.ts';

const database = useTestDatabase();
let live: LiveApi;

beforeAll(async () => {
  live = await startLiveApi({ db: database.db });
});

afterAll(() => live.stop());

const TEXT = 'INVITE sip:+12025550100@carrier.example SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n';

let callee = 100;

async function makeTracedCall(trunkId: number | null = null): Promise<number> {
  const assistant = await live.ask('/api/user/assistant', { method: 'POST', body: newAssistant() });
  const { id } = (assistant.body as { data: { id: number } }).data;
  callee += 1;
  const body = { phone_number: `+12025550${callee}`, assistant_id: id };
  const { body: placed } = await live.ask('/api/user/make_call', { method: 'POST', body });
  const callId = (placed as { call_id: number }).call_id;
  const address = { host: '192.0.2.1', port: 5060 };
  const message = { atMs: 0, isSent: true, transport: 'udp', local: address, remote: address } as const;
  const messages = [{ ...message, text: TEXT, isTruncated: false }];
  await storeSipTrace(live.core, {
    callId,
    trunkId,
    isSharedTrunk: false,
    messages,
    omitted: 0,
    media: null,
  });
  return callId;
}

test('a trace is read as JSON and as a capture file, by its owner', async () => {
  const callId = await makeTracedCall();
  const path = `/api/user/calls/${callId}/sip-trace`;
  const { status, body } = await live.ask(path);
  expect(status).toBe(200);
  expect(sipTraceRecord.parse(body).messages).toMatchObject([{ summary: 'INVITE', text: TEXT }]);
  const capture = await fetch(`${live.url}${path}.pcap`, {
    headers: { authorization: `Bearer ${live.token}` },
  });
  expect(capture.headers.get('content-type')).toBe('application/vnd.tcpdump.pcap');
  expect(capture.headers.get('content-disposition')).toBe(`attachment; filename="call-${callId}.pcap"`);
  const bytes = Buffer.from(await capture.arrayBuffer());
  expect(bytes.subarray(0, 4).toString('hex')).toBe('a1b2c3d4');
  // The headers of the file, the packet, Ethernet, IPv4 and UDP.
  expect(bytes.subarray(24 + 16 + 14 + 20 + 8).toString()).toBe(TEXT);
});

test('a call that was not answered names its trunk by its trace', async () => {
  const { body: trunks } = await live.ask('/api/user/phone-numbers/sip-trunks');
  const [trunk] = trunks as { id: number; name: string }[];
  const callId = await makeTracedCall(trunk?.id);
  await live.ask(`/api/user/calls/${callId}/hang-up`, { method: 'POST' });
  const { body } = await live.ask(`/api/user/calls/${callId}`);
  expect(body).toMatchObject({ status: 'failed', costs: [], sip_trunk_name: trunk?.name });
});

test('a call that is not there has no trace', async () => {
  expect(await live.ask('/api/user/calls/999999/sip-trace')).toMatchObject({ status: 404 });
  expect(await live.ask('/api/user/calls/999999/sip-trace.pcap')).toMatchObject({ status: 404 });
});
