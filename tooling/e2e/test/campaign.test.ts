/**
 * A campaign against the phones' crowd, with a worker killed in the middle: every lead is settled, nobody is called
 * twice for one attempt, and never more calls run than allowed, by what the phones saw on the wire.
 */
import { pause, systemClock } from '@parley/runtime';
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAssistant } from '../src/assistants.ts';
import { startHouse, type House } from '../src/house.ts';
import { readPhonesLog } from '../src/phones-log.ts';

const LEADS = 40;
const PARALLEL = 6;

let house: House;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  house = await startHouse({
    environment: {
      WEBHOOK_ALLOW_PRIVATE: 'loopback',
      RING_LIMIT: '5',
      PHONES_ANSWER_RATE: '0.5',
      PHONES_RING_MS: '100-300',
      PHONES_TALK_MS: '1000-2000',
    },
  });
});

afterAll(async () => {
  await house?.stop();
  await receiver?.close();
});

interface Lead {
  id: number;
  phone_number: string;
  status: string;
}

async function createCampaign(): Promise<number> {
  const assistantId = await createAssistant(house, { webhookUrl: receiver.url, maxCallSeconds: 20 });
  const campaign = (await house.request('POST', '/api/user/campaigns', {
    name: 'Crowd',
    assistant_id: assistantId,
    max_calls_in_parallel: PARALLEL,
    max_retries: 0,
  })) as { data: { id: number } };
  for (let index = 0; index < LEADS; index += 1) {
    const phoneNumber = `+1${900 + Math.floor(index / 10)}555${String(100 + index).padStart(4, '0')}`;
    await house.request('POST', '/api/user/lead', {
      campaign_id: campaign.data.id,
      phone_number: phoneNumber,
    });
  }
  return campaign.data.id;
}

async function until<Value>(ask: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  const deadlineMs = systemClock.monotonic() + 100_000;
  for (;;) {
    const value = await ask().catch(() => null);
    if (value !== null && isDone(value)) return value;
    if (systemClock.monotonic() > deadlineMs)
      throw new Error(`It did not come to that: ${JSON.stringify(value)}`);
    await pause(systemClock, 200);
  }
}

/** The most calls that were between INVITE and their end at one time, from the phones' log. */
function mostAtOnce(lines: Awaited<ReturnType<typeof readPhonesLog>>): number {
  const live = new Set<unknown>();
  let most = 0;
  for (const line of lines) {
    if (line.method === 'INVITE' && line.direction === 'in') live.add(line.callId);
    const isRefusal = line.direction === 'out' && line['of'] === 'INVITE' && (line.status ?? 0) >= 300;
    if (isRefusal || line.method === 'BYE') live.delete(line.callId);
    most = Math.max(most, live.size);
  }
  return most;
}

it('settles every lead once, within its limit, although a worker dies', async () => {
  const campaignId = await createCampaign();
  await house.request('POST', '/api/user/campaigns/update-status', {
    campaign_id: campaignId,
    action: 'start',
  });
  const calls = (): Promise<{ total: number }> =>
    house.request('GET', `/api/user/calls?campaign_id=${campaignId}`) as Promise<{ total: number }>;
  await until(calls, ({ total }) => total >= LEADS / 4);
  process.kill((await house.processes())['worker'] ?? 0, 'SIGKILL');

  const campaign = (): Promise<{ status: string }> =>
    house.request('GET', `/api/user/campaigns/${campaignId}`) as Promise<{ status: string }>;
  await until(campaign, ({ status }) => status === 'completed');

  const leads = (await house.request('GET', `/api/user/leads?campaign_id=${campaignId}`)) as Lead[];
  expect(leads).toHaveLength(LEADS);
  expect(leads.filter((lead) => lead.status === 'created')).toEqual([]);

  const lines = await readPhonesLog(house.phonesLog);
  const invites = lines.filter((line) => line.method === 'INVITE' && line.direction === 'in');
  const attempts = Map.groupBy(invites, (line) => line['toUser']);
  expect(attempts.size).toBe(LEADS);
  for (const [number, seen] of attempts)
    expect(new Set(seen.map((line) => line.callId)).size, `attempts at ${String(number)}`).toBe(1);
  expect(mostAtOnce(lines)).toBeLessThanOrEqual(PARALLEL);
});
