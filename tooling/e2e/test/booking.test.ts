/**
 * What a new user tries first: the ready-made demo assistant books an appointment over real SIP, by voice (callers with
 * other voices than the assistant's) and by keys, with no account and no network.
 */
import { callDetail } from '@parley/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** See the phone book of `tooling/phones`. */
/** The number that `npm start` prints, and two with other voices. */
const [BOOKS_BY_VOICE, BOOKS_MONDAY, BOOKS_WEDNESDAY] = [
  '+12025550149',
  '+12025550147',
  '+12025550148',
] as const;
const PRESSES_1_THEN_9 = '+12025550190';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation?.stop());

type CallDetail = ReturnType<typeof callDetail.parse>;

async function callWithDemo(phoneNumber: string): Promise<CallDetail> {
  const assistants = (await installation.request('GET', '/api/user/assistants/outbound')) as {
    id: number;
    name: string;
  }[];
  const demo = assistants.find(({ name }) => name.startsWith('Demo'));
  const id = await placeCall(installation, { assistantId: demo?.id ?? 0, phoneNumber });
  await waitForCall(installation, id, ({ status }) => status === 'completed', 110_000);
  return callDetail.parse(await installation.request('GET', `/api/user/calls/${id}`));
}

/** What a failure needs to be understood. */
function courseOf({ turns, events, ended_reason }: CallDetail): string {
  return JSON.stringify({ ended_reason, turns, events }, null, 1);
}

describe('the demo assistant', () => {
  // At the same time, because each takes most of a minute.
  it.concurrent.each([
    [BOOKS_BY_VOICE, { day: 'Friday', time: 'three in the afternoon', name: 'Maria' }],
    [BOOKS_MONDAY, { day: 'Monday', time: 'ten in the morning', name: 'Robert' }],
    [BOOKS_WEDNESDAY, { day: 'Wednesday', time: 'three in the afternoon', name: 'Daniel' }],
  ])('books an appointment by voice with %s', async (phoneNumber, wanted) => {
    const detail = await callWithDemo(phoneNumber);
    expect(detail.variables, courseOf(detail)).toEqual({ ...wanted, booked: 'yes' });
    const answer = new RegExp(`Customer: ${wanted.day}`, 'i');
    expect(detail.transcript, courseOf(detail)).toMatch(answer);
    const end = `You are booked for ${wanted.day} at ${wanted.time}. Goodbye.`;
    expect(detail.transcript.endsWith(end), courseOf(detail)).toBe(true);
    expect(detail).toMatchObject({ answered_by: 'human', ended_by: 'assistant', ended_reason: 'end_call' });
  });

  it.concurrent('takes keys for an answer', async () => {
    const detail = await callWithDemo(PRESSES_1_THEN_9);
    expect(detail.variables, courseOf(detail)).toEqual({ day: 'Monday' });
    expect(detail.transcript, courseOf(detail)).toMatch(/Thank you for your call\. Goodbye\.$/);
  });
});
