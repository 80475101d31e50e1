/**
 * What a new user tries first: the ready-made demo assistant books an appointment over real SIP, by voice (a caller with
 * another voice than the assistant's) and by keys, with no account and no network: PocketSphinx recognises the caller where it
 * is installed, otherwise Moonshine.
 */
import { callDetail } from '@parley/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeCall, waitForCall } from '../src/calls.ts';
import { startInstallation, type Installation } from '../src/installation.ts';

/** See the phone book of `tooling/phones`. */
const BOOKS_BY_VOICE = '+12025550149';
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
  it('books an appointment by voice', async () => {
    const detail = await callWithDemo(BOOKS_BY_VOICE);
    expect(detail.variables, courseOf(detail)).toEqual({
      day: 'Friday',
      time: 'three in the afternoon',
      name: 'Maria',
      booked: 'yes',
    });
    expect(detail.transcript, courseOf(detail)).toContain('Customer: friday');
    expect(detail.transcript, courseOf(detail)).toMatch(
      /You are booked for Friday at three in the afternoon\. Goodbye\.$/,
    );
    expect(detail).toMatchObject({ answered_by: 'human', ended_by: 'assistant', ended_reason: 'end_call' });
  });

  it('takes keys for an answer', async () => {
    const detail = await callWithDemo(PRESSES_1_THEN_9);
    expect(detail.variables, courseOf(detail)).toEqual({ day: 'Monday' });
    expect(detail.transcript, courseOf(detail)).toMatch(/Thank you for your call\. Goodbye\.$/);
  });
});
