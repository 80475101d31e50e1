/**
 * SIGKILL of each process in the middle of a call. In every case the record ends correctly, the webhook is sent once,
 * and the phones see one INVITE per call.
 */
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { readPhonesLog } from '../src/phones-log.ts';

/** Answers and stays silent: the call lives until the assistant's silence limit. */
const SILENT_PHONE = '+12025550198';

let installation: Installation;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  installation = await startInstallation({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
});

afterAll(async () => {
  await installation?.stop();
  await receiver?.close();
});

/** Call-IDs of the INVITEs that the phones have seen so far. A repetition over UDP has the same one. */
async function invitesSeen(): Promise<Set<unknown>> {
  const lines = await readPhonesLog(installation.phonesLog);
  const invites = lines.filter((line) => line.method === 'INVITE' && line.direction === 'in');
  return new Set(invites.map((line) => line.callId));
}

interface Aftermath {
  detail: CallDetail;
  /** The Call-ID of the one INVITE of this call. */
  sipCallId: unknown;
}

/** Kills one process while a call is in progress, waits for the end, and checks the common requirements. */
async function killDuringCall(
  victim: string,
  {
    maxSilenceSeconds = 8,
    signal = 'SIGKILL',
  }: { maxSilenceSeconds?: number; signal?: 'SIGKILL' | 'SIGTERM' } = {},
): Promise<Aftermath> {
  const before = await invitesSeen();
  const assistantId = await createAssistant(installation, { webhookUrl: receiver.url, maxSilenceSeconds });
  const id = await placeCall(installation, { assistantId, phoneNumber: SILENT_PHONE });
  await waitForCall(installation, id, (record) => record.status === 'in-progress');
  const pid = (await installation.processes())[victim] ?? 0;
  expect(pid, `the process id of ${victim}`).toBeGreaterThan(1);
  process.kill(pid, signal);
  await waitForCall(installation, id, (record) => record.status === 'completed', 110_000);
  const detail = await waitForCall(
    installation,
    id,
    (record) => record.webhook_response.status === 200,
    30_000,
  );
  expect(detail.status).toBe('completed');
  const hooks = receiver.requests.filter((request) => (JSON.parse(request.body) as { id: number }).id === id);
  expect(hooks).toHaveLength(1);
  const [sipCallId, ...others] = [...(await invitesSeen())].filter((callId) => !before.has(callId));
  expect(sipCallId).toBeDefined();
  expect(others).toEqual([]);
  return { detail, sipCallId };
}

describe('a process killed in the middle of a call', () => {
  it.each(['api', 'worker', 'postgres'])('%s: the call goes on and ends by itself', async (victim) => {
    const { detail } = await killDuringCall(victim);
    expect(detail.ended_reason).toBe('silence_limit');
  });

  it('phones: the lost line is noticed and recorded as such', async () => {
    const { detail } = await killDuringCall('phones', { maxSilenceSeconds: 60 });
    expect(detail.ended_reason).toBe('line_lost');
  });

  it('voice, asked to stop: it lets the call end first', async () => {
    const { detail } = await killDuringCall('voice', { signal: 'SIGTERM' });
    expect(detail.ended_reason).toBe('silence_limit');
  });

  it('voice: the process that is started again goes on with the call', async () => {
    const { detail } = await killDuringCall('voice');
    const interruption = detail.events.find(({ type }) => type === 'process_replaced');
    expect(interruption?.detail).toEqual({ silent_ms: expect.any(Number) });
    expect(detail.ended_reason).toBe('silence_limit');
    expect(detail.transcript).toContain('AI: I am sorry, the line was interrupted');
  });
});
