import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock, systemClock } from '@parley/runtime';
import { collect } from '../../../test/collect.ts';
import { describeLanguageModel, END_CALL } from '../../../test/conformance/language-model.ts';
import { OpenAiSimulator, type OpenAiSimulatorOptions } from '../../fakes/index.ts';
import type { LanguageModelEvent, LanguageModelRequest } from '../../ports.ts';
import { createChatModel } from './chat-model.ts';

const request = (text: string): LanguageModelRequest => ({
  systemPrompt: 'You are brief.',
  dialogue: [{ role: 'customer', kind: 'speech', text }],
  tools: [END_CALL],
  temperature: 0.3,
  language: 'en',
});

describeLanguageModel('an OpenAI-compatible model', async () => {
  const simulator = new OpenAiSimulator({
    clock: systemClock,
    chat: (body) =>
      JSON.stringify(body['messages']).includes('Bye')
        ? { text: 'Goodbye.', toolCalls: [{ name: 'end_call', arguments: {} }] }
        : { text: 'How can I help you today?' },
  });
  await simulator.start();
  return {
    model: createChatModel({
      account: { baseUrl: simulator.baseUrl, apiKey: null },
      model: 'simulated',
      clock: systemClock,
    }),
    talk: request('Hello'),
    goodbye: request('Bye'),
    stop: async () => simulator.stop(),
  };
});

describe('an OpenAI-compatible model', () => {
  const running: OpenAiSimulator[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
  });

  const setup = async (given: Partial<OpenAiSimulatorOptions> = {}) => {
    const clock = new ManualClock();
    const simulator = new OpenAiSimulator({ clock: systemClock, ...given });
    running.push(simulator);
    await simulator.start();
    const model = createChatModel({
      account: { baseUrl: `${simulator.baseUrl}/`, apiKey: 'sk-test' },
      model: 'simulated',
      clock,
      limits: { firstMs: 3000, betweenMs: 1000 },
    });
    const ask = (asked = request('Hello'), signal = new AbortController().signal) =>
      collect(model.stream(asked, signal));
    return { clock, simulator, model, ask };
  };
  const text = (events: LanguageModelEvent[]): string =>
    events.map((event) => (event.type === 'text' ? event.text : '')).join('');

  it('sends what the protocol requires', async () => {
    const { simulator, ask } = await setup();
    await ask();
    const { path, authorization, body } = await simulator.request(0);
    expect({ path, authorization }).toEqual({
      path: '/v1/chat/completions',
      authorization: 'Bearer sk-test',
    });
    expect(body).toMatchObject({
      model: 'simulated',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.3,
      messages: [
        { role: 'system', content: 'You are brief.' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ type: 'function', function: { name: 'end_call', parameters: END_CALL.parameters } }],
    });
  });

  it('sends no temperature to models that refuse one', async () => {
    const { simulator } = await setup();
    for (const name of ['gpt-5-mini', 'gpt-4o']) {
      const account = { baseUrl: simulator.baseUrl, apiKey: null };
      const model = createChatModel({ account, model: name, clock: systemClock });
      await collect(model.stream(request('Hello'), new AbortController().signal));
    }
    expect(simulator.requests.map(({ body }) => body['temperature'])).toEqual([undefined, 0.3]);
    expect(simulator.requests.map(({ body }) => body['reasoning_effort'])).toEqual(['low', undefined]);
  });

  it('puts tool calls together from their fragments, and reports the usage', async () => {
    const { ask } = await setup({
      chat: () => ({
        text: 'One moment.',
        toolCalls: [
          { name: 'end_call', arguments: {} },
          { name: 'look_up', arguments: { day: 'Tuesday', hours: [9, 10] } },
        ],
      }),
    });
    const events = await ask({
      ...request('Hi'),
      tools: [END_CALL, { ...END_CALL, name: 'look_up', parameters: {} }],
    });
    expect(text(events)).toBe('One moment.');
    expect(events.slice(-3)).toEqual([
      { type: 'tool-call', id: 'call_0', name: 'end_call', arguments: {} },
      { type: 'tool-call', id: 'call_1', name: 'look_up', arguments: { day: 'Tuesday', hours: [9, 10] } },
      { type: 'usage', inputTokens: 20, outputTokens: expect.any(Number) as number },
    ]);
  });

  it.each([
    ['not JSON, as they are', '{"reason": ', '{"reason": '],
    ['a list, as they are', '["reason"]', ['reason']],
    ['missing, as none', '', {}],
  ])('passes on a tool call whose arguments are %s', async (_what, written, given) => {
    const { ask } = await setup({ chat: () => ({ toolCalls: [{ name: 'end_call', arguments: written }] }) });
    const calls = (await ask()).filter(({ type }) => type === 'tool-call');
    expect(calls).toEqual([{ type: 'tool-call', id: 'call_0', name: 'end_call', arguments: given }]);
  });

  it('keeps the thoughts of a model to itself', async () => {
    const { ask } = await setup({ chat: () => ({ text: '<think>They greet me.</think>Good morning.' }) });
    expect(text(await ask()).trim()).toBe('Good morning.');
  });

  it.each([
    [401, 'rejected'],
    [404, 'rejected'],
    [429, 'unavailable'],
    [500, 'unavailable'],
  ] as const)(
    'tells %i as %s, with the message of the server, and does not try again',
    async (status, kind) => {
      const { simulator, ask } = await setup();
      simulator.failNext({ type: 'status', status, message: 'no more today' });
      await expect(ask()).rejects.toMatchObject({
        name: 'SpeechError',
        kind,
        message: expect.stringContaining('no more today') as string,
      });
      expect(simulator.requests).toHaveLength(1);
    },
  );

  it.each(['garbage', 'cut', 'unfinished'] as const)(
    'is unavailable when the reply ends in: %s',
    async (type) => {
      const { simulator, ask, clock } = await setup();
      simulator.failNext({ type, after: 3 });
      await expect(ask()).rejects.toMatchObject({ name: 'SpeechError', kind: 'unavailable' });
      expect(clock.pendingTimers()).toBe(0);
    },
  );

  it('is unavailable when its address refuses connections', async () => {
    const { simulator, ask } = await setup();
    await simulator.stop();
    await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('gives up a server that does not begin to answer, and lets it know', async () => {
    const { simulator, ask, clock } = await setup();
    simulator.failNext({ type: 'stall', after: 0 });
    const answer = ask();
    const outcome = expect(answer).rejects.toMatchObject({ kind: 'timed-out' });
    const received = await simulator.request(0);
    clock.advance(3000);
    await outcome;
    expect(await received.outcome).toBe('aborted');
    expect(clock.pendingTimers()).toBe(0);
  });

  it('gives up a server that falls silent in the middle, keeping what was said', async () => {
    const { simulator, model, clock } = await setup();
    simulator.failNext({ type: 'stall', after: 4 });
    const heard: string[] = [];
    const listening = (async () => {
      for await (const event of model.stream(request('Hello'), new AbortController().signal)) {
        if (event.type === 'text') heard.push(event.text);
        if (heard.join('').length === 12) queueMicrotask(() => clock.advance(1000));
      }
    })();
    await expect(listening).rejects.toMatchObject({ kind: 'timed-out' });
    expect(heard.join('')).toBe('Hello, how c');
  });

  it('hangs up on the server when the listener leaves', async () => {
    const { simulator, model, clock } = await setup();
    simulator.failNext({ type: 'stall', after: 3 });
    const leaving = new AbortController();
    const heard: LanguageModelEvent[] = [];
    for await (const event of model.stream(request('Hello'), leaving.signal)) {
      heard.push(event);
      leaving.abort();
    }
    expect(heard).toHaveLength(1);
    expect(await (await simulator.request(0)).outcome).toBe('aborted');
    expect(clock.pendingTimers()).toBe(0);
  });

  it('hangs up on the server when the listener stops listening', async () => {
    const { simulator, model, clock } = await setup();
    simulator.failNext({ type: 'stall', after: 3 });
    for await (const event of model.stream(request('Hello'), new AbortController().signal)) {
      expect(event.type).toBe('text');
      break;
    }
    expect(await (await simulator.request(0)).outcome).toBe('aborted');
    expect(clock.pendingTimers()).toBe(0);
  });
});
