/**
 * What acts on the line, over real SIP and RTP: keys both ways, a hand-over to another assistant, and blind transfers by either
 * side. Model and voice are our simulator of OpenAI's protocol; the far end of the transfers is sipp.
 */
import { systemClock } from '@parley/runtime';
import { OpenAiSimulator, type SimulatedAnswer } from '@parley/speech/fakes';
import { isInstalled } from '@parley/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { isOver, placeCall, waitForCall, type CallDetail } from '../src/calls.ts';
import { freePorts } from '../src/free-ports.ts';
import { startInstallation, type Installation } from '../src/installation.ts';
import { addSimulatedModel, createSimulatedAssistant } from '../src/simulated-model.ts';
import { readPhonesLog } from '../src/phones-log.ts';
import { startTransferee } from '../src/sipp-transferee.ts';
import { startTransferor } from '../src/sipp-transferor.ts';

/** See the phone book of `tooling/phones`: answers and talks; answers and presses 1 and 9. */
const TALKS = '+12025550100';
const PRESSES_KEYS = '+12025550190';
const COLLEAGUE = '+12025550123';

/** What each assistant does, by the first word of its prompt and what has happened in the call. */
function answer(messages: unknown): SimulatedAnswer {
  const said = JSON.stringify(messages);
  const call = (name: string, given: Record<string, unknown> = {}) => ({ name, arguments: given });
  if (said.includes('KEYS')) {
    if (!said.includes('The caller pressed')) return { toolCalls: [call('ask_code')] };
    if (!said.includes('The keys were pressed')) return { toolCalls: [call('dtmf_input', { keys: '42#' })] };
    return { text: 'Goodbye.', toolCalls: [call('end_call')] };
  }
  if (said.includes('LISTENS')) return { text: 'I am listening.' };
  if (said.includes('RECEPTION')) return { toolCalls: [call('to_sales')] };
  if (said.includes('SALES')) return { text: 'At nine. Goodbye.', toolCalls: [call('end_call')] };
  return { text: 'I connect you.', toolCalls: [call('call_transfer', { destination: 'Ann' })] };
}

const openai = new OpenAiSimulator({ clock: systemClock, chat: ({ messages }) => answer(messages) });
let installation: Installation;

beforeAll(async () => {
  await openai.start();
  installation = await startInstallation();
  await addSimulatedModel(installation, openai);
});
afterAll(async () => {
  await installation?.stop();
  await openai.stop();
});

async function toolCalls(callId: number): Promise<unknown> {
  return ((await installation.request('GET', `/api/user/calls/${callId}`)) as { tool_calls: unknown })
    .tool_calls;
}

it('keys are collected from the line, and pressed on it', async () => {
  const assistantId = await createSimulatedAssistant(installation, {
    assistant_name: 'Keys',
    system_prompt: 'KEYS',
    who_speaks_first: 'Customer',
    tools: [
      {
        type: 'collect_keypad',
        name: 'ask_code',
        prompt: 'Your code, please.',
        max_digits: 2,
        variable: 'code',
      },
      { type: 'dtmf_input' },
    ],
  });
  const callId = await placeCall(installation, { assistantId, phoneNumber: PRESSES_KEYS });
  const call = await waitForCall(installation, callId, ({ status }) => status === 'completed', 110_000);
  expect(await toolCalls(callId)).toMatchObject([
    { name: 'ask_code', result: 'The caller pressed 19.', is_error: false },
    { name: 'dtmf_input', arguments: { keys: '42#' }, is_error: false },
  ]);
  expect(call).toMatchObject({ ended_reason: 'end_call', variables: { code: '19' } });
  expect(call.transcript).toContain('AI: Your code, please.');
  const lines = await readPhonesLog(installation.phonesLog);
  expect(lines.filter(({ event }) => event === 'sound').map(({ keys }) => keys)).toEqual(['42#']);
});

it('a call goes on with another assistant', async () => {
  const salesId = await createSimulatedAssistant(installation, {
    assistant_name: 'Sales',
    system_prompt: 'SALES',
    initial_message: 'Sales speaking.',
  });
  const assistantId = await createSimulatedAssistant(installation, {
    assistant_name: 'Reception',
    system_prompt: 'RECEPTION',
    tools: [
      {
        type: 'assistant_transfer',
        name: 'to_sales',
        description: 'For orders.',
        assistant_id: salesId,
        message: 'One moment.',
      },
    ],
  });
  const callId = await placeCall(installation, { assistantId, phoneNumber: TALKS });
  const call = await waitForCall(installation, callId, ({ status }) => status === 'completed', 110_000);
  expect(call.transcript).toMatch(/AI: One moment\.[^]*AI: Sales speaking\.[^]*AI: At nine\. Goodbye\.$/);
  expect(call.ended_reason).toBe('end_call');
  expect(call.events.map(({ type }) => type)).toContain('assistant_transfer');
});

/** A carrier of the test, until its end. @returns its port */
async function useCarrier(settings: Record<string, unknown> = {}): Promise<number> {
  const [port = 0] = await freePorts(1);
  const path = '/api/user/phone-numbers/sip-trunks';
  const trunk = { host: '127.0.0.1', port, reach: 'fictional', caller_number: '+12025550198', ...settings };
  const { data } = (await installation.request('POST', path, { name: 'Carrier', ...trunk })) as {
    data: { id: number };
  };
  onTestFinished(async () => void (await installation.request('DELETE', `${path}/${data.id}`)));
  return port;
}

it.skipIf(!isInstalled('sipp'))('a call is transferred by the process that has it', async () => {
  const port = await useCarrier();
  const transferee = await startTransferee(port);
  const assistantId = await createSimulatedAssistant(installation, {
    assistant_name: 'Operator',
    system_prompt: 'OPERATOR',
    re_engagement_interval: 7,
    tools: [{ type: 'call_transfer', destinations: [{ name: 'Ann', phone_number: COLLEAGUE }] }],
  });
  const callId = await placeCall(installation, { assistantId, phoneNumber: TALKS });
  const call = await waitForCall(installation, callId, isOver, 110_000);
  transferee.stop();
  expect(await transferee.finished).toContain(`Refer-To: <sip:${COLLEAGUE}@127.0.0.1:${port}>`);
  expect(call).toMatchObject({ ended_by: 'system', ended_reason: 'call_transfer' });
  expect(await toolCalls(callId)).toMatchObject([
    { name: 'call_transfer', arguments: { destination: 'Ann' }, result: 'The caller was put through.' },
  ]);
});

it.skipIf(!isInstalled('sipp'))(
  'the far end transfers the call, which goes on with the other party',
  async () => {
    const port = await useCarrier({ incoming_refer: 'numbers' });
    const transferor = await startTransferor(port, COLLEAGUE);
    onTestFinished(() => transferor.stop());
    const assistantId = await createSimulatedAssistant(installation, {
      assistant_name: 'Listener',
      system_prompt: 'LISTENS',
    });
    const callId = await placeCall(installation, { assistantId, phoneNumber: TALKS });
    const isReferred = ({ events, status }: CallDetail): boolean =>
      status === 'completed' || events.some(({ type }) => type === 'far_end_referred');
    expect(await waitForCall(installation, callId, isReferred)).toMatchObject({ status: 'in-progress' });
    await installation.request('POST', `/api/user/calls/${callId}/hang-up`);
    const call = await waitForCall(installation, callId, ({ status }) => status === 'completed');
    expect(call).toMatchObject({ ended_reason: 'hang_up_requested' });
    expect(JSON.stringify(call.events)).not.toContain(COLLEAGUE);
    const seen = await transferor.finished;
    expect(seen).toMatch(/^SIP\/2\.0 100 Trying\r?$[^]*^SIP\/2\.0 200 OK\r?$/m);
  },
);
