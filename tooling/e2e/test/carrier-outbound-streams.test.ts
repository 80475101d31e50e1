/**
 * Outbound calls that a simulated carrier dials and streams into an installation. The phone rings once for each attempt, whatever
 * becomes of the answer to the request, of the reports, and of the voice process.
 */
import { rmsDbfs } from '@parley/audio';
import {
  startTelnyx,
  startTwilio,
  startWebhookReceiver,
  TELNYX_KEY,
  TWILIO_ACCOUNT,
  type CarrierSimulator,
  type PhoneBehaviour,
  type WebhookReceiver,
} from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall, type CallDetail } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

const NUMBER = '+13125550147';
const WAIT = { timeout: 90_000, interval: 100 };

interface Row {
  id: number;
}

const loud = (heard: Int16Array = new Int16Array()): number => rmsDbfs(heard.slice(-8_000));
/** How much of what a person has heard is not silence, seconds. */
function secondsOfSpeech(heard: Int16Array = new Int16Array()): number {
  let frames = 0;
  for (let at = 0; at < heard.length; at += 160) if (rmsDbfs(heard.slice(at, at + 160)) > -40) frames += 1;
  return frames / 50;
}
const isFailed = ({ status }: CallDetail): boolean => status === 'failed';

const CARRIERS = {
  twilio: {
    start: startTwilio,
    setting: 'TWILIO_API_URL',
    credentials: { account_sid: TWILIO_ACCOUNT.sid, secret: TWILIO_ACCOUNT.token },
    placing: /POST .*\/Calls\.json/,
  },
  telnyx: {
    start: startTelnyx,
    setting: 'TELNYX_API_URL',
    credentials: { secret: TELNYX_KEY },
    placing: /POST .*\/Calls$/,
  },
} as const;

describe.each(['twilio', 'telnyx'] as const)('%s', (kind) => {
  const { start, setting, credentials, placing } = CARRIERS[kind];
  let installation: Installation;
  let carrier: CarrierSimulator;
  let receiver: WebhookReceiver;
  let assistantId: number;
  let people = 0;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    carrier = await start();
    carrier.world.own(NUMBER, `PN${carrier.world.nextId()}`);
    installation = await startInstallation({
      environment: { [setting]: carrier.url, WEBHOOK_ALLOW_PRIVATE: 'loopback' },
    });
    const ask = (method: string, path: string, body?: unknown) => installation.request(method, path, body);
    const account = { name: 'Main', kind, ...credentials };
    const { data } = (await ask('POST', '/api/user/carrier-accounts', account)) as { data: Row };
    const path = `/api/user/carrier-accounts/${data.id}`;
    await ask('POST', `${path}/connect`, { inbound_calls: 'media_stream', outbound_calls: 'media_stream' });
    const imported = (await ask('POST', `${path}/numbers`, { phone_numbers: [NUMBER] })) as { data: Row[] };
    assistantId = await createAssistant(installation, { webhookUrl: receiver.url, maxSilenceSeconds: 20 });
    await ask('PUT', `/api/user/assistant/${assistantId}`, { phone_number_id: imported.data[0]?.id });
  });

  afterAll(async () => {
    await installation?.stop();
    await carrier?.close();
    await receiver?.close();
  });

  /** Places a call to a person whose phone does that. */
  async function dial(phone: PhoneBehaviour = {}) {
    people += 1;
    const to = `+12025550${180 + people}`;
    carrier.world.phones.set(to, phone);
    const callId = await placeCall(installation, { assistantId, phoneNumber: to });
    const placed = () => carrier.world.dials.filter(({ form }) => form['To'] === to);
    await expect.poll(() => placed().length, WAIT).toBe(1);
    const [call] = placed();
    if (!call) throw new Error('No call was placed');
    /** The record of the call, whose phone has rung once at most. */
    const record = async (condition: (detail: CallDetail) => boolean): Promise<CallDetail> => {
      const detail = await waitForCall(installation, callId, condition, 110_000);
      expect(placed()).toHaveLength(1);
      expect(call.faults).toEqual([]);
      expect(call.rings).toBeLessThanOrEqual(1);
      return detail;
    };
    return { call, callId, record };
  }

  it('the assistant talks with a person who hangs up; the record has the conversation and a recording', async () => {
    const { call, record } = await dial();
    // A person who has heard less may have heard no word; the greeting takes less than a second.
    await expect.poll(() => secondsOfSpeech(call.stream?.heard()), WAIT).toBeGreaterThan(0.5);
    call.stream?.hangUp();
    const detail = await record(({ status }) => status === 'completed');
    expect(detail).toMatchObject({
      ended_reason: 'customer_hung_up',
      transcript: expect.stringMatching(/^AI: /),
    });
    expect(detail.events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['dialed', 'ringing', 'answered']),
    );
    expect(call.stream?.faults).toEqual([]);
    expect(call.form).toMatchObject({ From: NUMBER, Timeout: '45' });
  });

  it.each(['in-order', 'twice', 'reversed', 'never'] as const)(
    'a lost answer, with reports %s: the phone rings once, and the call takes place',
    async (reports) => {
      carrier.world.faults.push({ on: placing, how: 'lose-answer' });
      const { call, record } = await dial({ reports });
      await expect.poll(() => loud(call.stream?.heard()), WAIT).toBeGreaterThan(-40);
      call.stream?.hangUp();
      expect(await record(({ status }) => status === 'completed')).toMatchObject({
        ended_reason: 'customer_hung_up',
      });
    },
  );

  it('a busy phone, and a hang-up of ours while the phone rings', async () => {
    const busy = await dial({ does: 'busy' });
    expect(await busy.record(({ status }) => status === 'busy')).toMatchObject({ ended_reason: 'busy' });
    const { call, callId, record } = await dial({ does: 'ring' });
    await waitForCall(installation, callId, ({ status }) => status === 'ringing');
    await installation.request('POST', `/api/user/calls/${callId}/hang-up`);
    expect(await record(isFailed)).toMatchObject({ ended_reason: 'hang_up_requested' });
    expect(call.state).toBe('canceled');
  });

  it('a voice process that is killed while the phone rings: the call is ended at the carrier, and no other one is placed', async () => {
    const { call, callId, record } = await dial({ does: 'ring' });
    await waitForCall(installation, callId, ({ status }) => status === 'ringing');
    process.kill((await installation.processes())['voice'] ?? 0, 'SIGKILL');
    expect(await record(isFailed)).toMatchObject({ ended_reason: 'process_lost' });
    await expect.poll(() => call.state, WAIT).toBe('canceled');
  });

  it('a voice process that is killed between the request and its answer: a person who picks up later hears a hang-up', async () => {
    carrier.world.faults.push({ on: placing, how: 'lose-answer' });
    const { call, record } = await dial({ does: 'ring', reports: 'never' });
    process.kill((await installation.processes())['voice'] ?? 0, 'SIGKILL');
    await expect.poll(() => call.state, WAIT).toBe('ringing');
    expect(await record(isFailed)).toMatchObject({ ended_reason: 'process_lost' });
    call.answer();
    await expect.poll(() => call.state, WAIT).toBe('completed');
    expect(await call.stream?.ended).toBeNull();
  });
});
