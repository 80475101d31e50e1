/**
 * The first path through the installation: a call asked for over REST, a phone that rings over SIP, a conversation, a true
 * record, a recording of both sides, a signed webhook. Real processes throughout.
 */
import { readWav, rmsDbfs, tonePurity } from '@parley/audio';
import { callDetail, callFinishedPayload } from '@parley/contracts';
import { startWebhookReceiver, type WebhookReceiver } from '@parley/testkit';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssistant } from '../src/assistants.ts';
import { placeCall, waitForCall } from '../src/calls.ts';
import { sharedInstallation } from '../src/shared-installation.ts';
import { readPhonesLog } from '../src/phones-log.ts';

/** Answers; no other test that shares the installation calls it. */
const TALKATIVE = '+12025550112';

const installation = sharedInstallation();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
});

afterAll(async () => {
  await receiver?.close();
});

/** Places a call to a test phone with a new assistant and returns the finished record. */
async function call(
  phoneNumber: string,
  { endsOnVoicemail = true } = {},
): Promise<{ id: number; detail: ReturnType<typeof callDetail.parse> }> {
  const assistantId = await createAssistant(installation, {
    webhookUrl: receiver.url,
    maxCallSeconds: 20,
    endsOnVoicemail,
  });
  const id = await placeCall(installation, { assistantId, phoneNumber });
  const isFinal = /^(completed|busy|no-answer|failed)$/;
  await waitForCall(installation, id, (record) => isFinal.test(record.status), 90_000);
  return { id, detail: callDetail.parse(await installation.request('GET', `/api/user/calls/${id}`)) };
}

/** The channels of a call's recording: what the customer said, what the assistant said. */
async function recording(
  url: string,
): Promise<{ customer: Int16Array; assistant: Int16Array; sampleRateHz: number }> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const wav = readWav(new Uint8Array(await response.arrayBuffer()));
  const [customer, assistant] = wav.channels;
  if (!customer || !assistant) throw new Error('The recording has not two channels');
  return { customer, assistant, sampleRateHz: wav.sampleRateHz };
}

/** How often a phone was dialed so far. */
async function countDials(number: string): Promise<number> {
  const log = await readPhonesLog(installation.phonesLog);
  const invites = log.filter((line) => line.method === 'INVITE' && line['toUser'] === number);
  return new Set(invites.map((line) => line.callId)).size;
}

describe('a call over the whole product', () => {
  it('talks with a phone that answers, and tells the owner the truth', async () => {
    const dialsBefore = await countDials(TALKATIVE);
    const { id, detail } = await call(TALKATIVE);
    expect(detail).toMatchObject({
      status: 'completed',
      type: 'outbound',
      client_phone_number: TALKATIVE,
    });
    expect(detail.answered_by).toBe('human');
    // The phone says hello as well: on a busy machine first, or over the end of the sentence.
    expect(detail.transcript).toMatch(/^AI: Hello, this/m);
    // The phone makes the sounds of speech without words, in which the recogniser may hear some.
    expect(detail.transcript).toMatch(/^Customer: \S/m);

    const sound = await recording(detail.recording_url ?? '');
    const spoken = (from: Int16Array, sender: string): number => {
      const turn = detail.turns.find((candidate) => candidate.sender === sender);
      const at = (ms: number): number => Math.round((ms * sound.sampleRateHz) / 1000);
      return rmsDbfs(from.subarray(at(turn?.start_ms ?? 0), at(turn?.end_ms ?? 0)));
    };
    expect(spoken(sound.assistant, 'bot')).toBeGreaterThan(-40);
    expect(spoken(sound.customer, 'human')).toBeGreaterThan(-45);
    const seconds = sound.customer.length / sound.sampleRateHz;
    expect(Math.abs(seconds - detail.duration)).toBeLessThanOrEqual(1);

    const request = await receiver.request(receiver.requests.length || 1);
    const secret = await installation.cli(['webhook-secret', installation.email]);
    const payload = callFinishedPayload.parse(new Webhook(secret).verify(request.body, request.headers));
    expect(payload).toMatchObject({ id, status: 'completed', transcript: detail.transcript });
    expect(receiver.requests.filter((one) => JSON.parse(one.body).id === id)).toHaveLength(1);

    expect((await countDials(TALKATIVE)) - dialsBefore).toBe(1);
  });

  it('hangs up on a voicemail and records it', async () => {
    const { detail } = await call('+12025550150');
    expect(detail).toMatchObject({
      status: 'completed',
      answered_by: 'machine',
      ended_by: 'assistant',
      ended_reason: 'voicemail',
    });
  });

  it("leaves a message after a voicemail's beep, which stays in the customer's channel", async () => {
    const { detail } = await call('+12025550150', { endsOnVoicemail: false });
    expect(detail).toMatchObject({ answered_by: 'machine', ended_reason: 'voicemail_message' });
    expect(detail.transcript).toMatch(/AI: Hello, this is the test\.$/);
    const { customer, assistant, sampleRateHz } = await recording(detail.recording_url ?? '');
    const window = sampleRateHz / 10;
    const purest = (sound: Int16Array): number => {
      let best = 0;
      for (let start = 0; start + window <= sound.length; start += window) {
        const part = sound.subarray(start, start + window);
        if (rmsDbfs(part) > -30) best = Math.max(best, tonePurity(part, 1000, sampleRateHz));
      }
      return best;
    };
    expect(purest(customer)).toBeGreaterThan(0.95);
    expect(purest(assistant)).toBeLessThan(0.9);
  });

  it.each([
    ['a busy phone', '+12025550160', 'busy'],
    ['a phone that declines', '+12025550180', 'failed'],
    ['a line that fails', '+12025550195', 'failed'],
  ])('records %s', async (_name, number, status) => {
    const { detail } = await call(number);
    expect(detail).toMatchObject({ status, duration: 0, transcript: '' });
    expect(detail.recording_url).toBeUndefined();
  });

  it('refuses a number that no trunk reaches, and says what to do', async () => {
    const assistantId = await createAssistant(installation, { webhookUrl: receiver.url });
    const attempt = placeCall(installation, { assistantId, phoneNumber: '+14155552671' });
    await expect(attempt).rejects.toThrow(/422 .*phone_number.*trunk/);
  });
});
