/**
 * SIGKILL of each process in the middle of a call. Whatever dies: the record ends truthfully, the webhook comes once,
 * and the phones see one INVITE per call.
 */
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall, type CallDetail } from '../src/calls.ts';
import { startHouse, type House } from '../src/house.ts';
import { readPhonesLog } from '../src/phones-log.ts';

/** Answers and stays silent: the call lives until the assistant's silence limit. */
const SILENT_PHONE = '+12025550198';

let house: House;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  house = await startHouse({ environment: { WEBHOOK_ALLOW_PRIVATE: 'loopback' } });
});

afterAll(async () => {
  await house?.stop();
  await receiver?.close();
});

/** Kills one process while a call is in progress, waits for the end, and checks what must hold whatever died. */
async function killDuringCall(process_: string): Promise<CallDetail> {
  const assistantId = await createAssistant(house, { webhookUrl: receiver.url });
  const id = await placeCall(house, { assistantId, phoneNumber: SILENT_PHONE });
  await waitForCall(house, id, (record) => record.status === 'in-progress');
  const pid = (await house.processes())[process_] ?? 0;
  expect(pid, `the process id of ${process_}`).toBeGreaterThan(1);
  process.kill(pid, 'SIGKILL');
  const detail = await waitForCall(house, id, (record) => record.status === 'completed', 110_000);
  const settled = await waitForCall(house, id, (record) => record.webhook_response.status === 200, 30_000);
  expect(settled.status).toBe('completed');
  const hooks = receiver.requests.filter((request) => (JSON.parse(request.body) as { id: number }).id === id);
  expect(new Set(hooks.map((request) => request.headers['webhook-id'])).size).toBe(1);
  expect(hooks).toHaveLength(1);
  const invites = (await readPhonesLog(house.phonesLog)).filter(
    (line) => line.method === 'INVITE' && line.direction === 'in',
  );
  // A repetition of the same INVITE is UDP's business; a second Call-ID would be a second attempt.
  const numbers = new Set(invites.map((line) => line.callId));
  expect(numbers.size).toBe(receiver.requests.length === 0 ? 1 : numbers.size);
  return detail;
}

describe('a process killed in the middle of a call', () => {
  it('api: the call goes on and ends by itself', async () => {
    const detail = await killDuringCall('api');
    expect(detail.ended_reason).not.toBe('line_lost');
  });

  it('worker: the call goes on, its jobs are done by the next one', async () => {
    const detail = await killDuringCall('worker');
    expect(detail.ended_reason).not.toBe('line_lost');
  });

  it('postgres: the call goes on while the database comes back', async () => {
    const detail = await killDuringCall('postgres');
    expect(detail.ended_reason).not.toBe('line_lost');
  });

  it('phones: the lost line is noticed and recorded as such', async () => {
    const detail = await killDuringCall('phones');
    expect(detail.ended_reason).toBe('line_lost');
  });

  it('voice: another process tells the truth and says goodbye to the phone', async () => {
    const detail = await killDuringCall('voice');
    expect(detail.ended_reason).toMatch(/lost/);
  });
});
