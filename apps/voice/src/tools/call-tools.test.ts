import { setImmediate } from 'node:timers/promises';
import { systemClock, ManualClock } from '@parley/runtime';
import { createGuardedClient } from '@parley/runtime/guarded-http';
import { startWebhookReceiver } from '@parley/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallTool } from '@parley/core';
import type { KeysOutcome } from '@parley/telephony';
import { createToolRunner, toolsForConversation } from './call-tools.ts';

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});
const alive = new AbortController().signal;

interface Setup {
  allowPrivate?: 'loopback' | 'none';
  timeoutSeconds?: number;
}

async function setup({ allowPrivate = 'loopback', timeoutSeconds = 5 }: Setup = {}) {
  const receiver = await startWebhookReceiver();
  const http = createGuardedClient({ clock: systemClock, allowPrivate });
  undo.push(
    () => http.close(),
    () => receiver.close(),
  );
  const clock = new ManualClock();
  const tools: CallTool[] = [
    {
      type: 'http_request',
      name: 'look_up',
      description: 'Looks it up.',
      url: receiver.url,
      method: 'POST',
      headers: [{ name: 'X-Key', value: 'secret' }],
      parameters: { type: 'object' },
      timeoutSeconds,
    },
    { type: 'dtmf_input', description: 'Press 1 for us.' },
  ];
  const pressed: string[] = [];
  const make = (sendKeys: ((keys: string) => Promise<KeysOutcome>) | null) =>
    createToolRunner({
      servers: async () => null,
      searchKnowledge: async () => ({ passages: [], by: 'words', used: null }),
      tools,
      variables: () => ({}),
      sendKeys,
      transfer: null,
      http,
      clock,
    });
  const runner = make(async (keys) => {
    pressed.push(keys);
    return { isSent: true, method: 'rfc4733' };
  });
  return { receiver, clock, tools, pressed, runner, make };
}

describe('a request', () => {
  it('carries arguments and secrets, and its answer is the result', async () => {
    const { receiver, runner, clock } = await setup();
    receiver.answerNext({ status: 200, body: '{"opens":"09:00"}' });
    const answer = await runner.run({ name: 'look_up', arguments: { day: 'Monday' } }, alive);
    expect(answer).toEqual({ isOk: true, text: 'HTTP 200\n{"opens":"09:00"}' });
    expect(receiver.requests).toMatchObject([
      { method: 'POST', body: '{"day":"Monday"}', headers: { 'x-key': 'secret' } },
    ]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that is answered with an error is a failure', async () => {
    const { receiver, runner } = await setup();
    receiver.answerNext({ status: 404, body: 'none' });
    expect(await runner.run({ name: 'look_up', arguments: {} }, alive)).toEqual({
      isOk: false,
      text: 'HTTP 404\nnone',
    });
  });

  it('is aborted at the owner’s time limit', async () => {
    const { receiver, runner, clock } = await setup({ timeoutSeconds: 2 });
    receiver.answerNext({ behaviour: 'hang' });
    const answer = runner.run({ name: 'look_up', arguments: {} }, alive);
    await receiver.request(1);
    clock.advance(2000);
    expect(await answer).toEqual({ isOk: false, text: 'No answer came in time' });
  });

  it('cannot reach the private network', async () => {
    const { receiver, runner } = await setup({ allowPrivate: 'none' });
    const answer = await runner.run({ name: 'look_up', arguments: {} }, alive);
    expect(answer).toMatchObject({ isOk: false, text: expect.stringMatching(/not public/) as string });
    expect(receiver.requests).toEqual([]);
  });
});

describe('keys', () => {
  it('are sent, and the result is returned afterwards', async () => {
    const { runner, clock, pressed } = await setup();
    const answer = runner.run({ name: 'dtmf_input', arguments: { keys: '12 34-#' } }, alive);
    expect(pressed).toEqual(['1234#']);
    await setImmediate();
    await clock.advanceAsync(1250, 50);
    expect(await answer).toMatchObject({ isOk: true });
  });

  it.each(['', 'hello', '1;2', '１'])('that do not exist are refused: %j', async (keys) => {
    const { runner, pressed } = await setup();
    expect(await runner.run({ name: 'dtmf_input', arguments: { keys } }, alive)).toMatchObject({
      isOk: false,
    });
    expect(pressed).toEqual([]);
  });

  it.each(['unsupported', 'refused', 'on-hold', 'no-call'] as const)(
    'that were not sent are reported to the model: %s',
    async (reason) => {
      const { make } = await setup();
      const runner = make(async () => ({ isSent: false, reason }));
      expect(await runner.run({ name: 'dtmf_input', arguments: { keys: '1' } }, alive)).toMatchObject({
        isOk: false,
        text: expect.stringContaining('The keys were not sent.'),
      });
    },
  );

  it('are unavailable in a browser call', async () => {
    const { make } = await setup();
    expect(await make(null).run({ name: 'dtmf_input', arguments: { keys: '1' } }, alive)).toMatchObject({
      isOk: false,
      text: 'This line has no keypad.',
    });
  });
});

it.each(['end_call', 'http_request', 'toString'])(
  'a tool that is not in the list is not run: %s',
  async (name) => {
    const { runner } = await setup();
    expect(await runner.run({ name, arguments: {} }, alive)).toMatchObject({ isOk: false });
  },
);

it('a conversation receives the tools and can always end the call', async () => {
  const { tools } = await setup();
  expect(toolsForConversation(tools, [])).toMatchObject([
    { type: 'end_call', description: null },
    { type: 'run', name: 'look_up', description: 'Looks it up.', parameters: { type: 'object' } },
    { type: 'run', name: 'dtmf_input', description: expect.stringMatching(/Press 1 for us\.$/) as string },
  ]);
  expect(toolsForConversation([{ type: 'end_call', description: 'Soon.' }], [])).toEqual([
    { type: 'end_call', description: 'Soon.' },
  ]);
});
