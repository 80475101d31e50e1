/** Assistants that hand a call over to each other, in virtual time. Their models are scripted. */
import type { ConversationEvent } from '@parley/conversation';
import type { AssistantForVoice, CallForVoice, CallTool } from '@parley/core';
import { BackgroundWork, ManualClock, silentLog } from '@parley/runtime';
import {
  createFakeDetector,
  createFakeModel,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
  type FakeAnswer,
} from '@parley/speech/fakes';
import type { MediaPort } from '@parley/telephony';
import { describe, expect, it } from 'vitest';
import { CallConversations } from './call-conversations.ts';
import type { CallEngines } from './engines.ts';
import { CallUsage } from './usage/call-usage.ts';

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;

/** The settings that a conversation reads. The model is asked after 7 s of silence, so no caller is needed. */
function speaker(id: number, tools: CallTool[]): AssistantForVoice {
  const assistant = {
    id,
    initialMessage: `Number ${id}.`,
    systemPrompt: '',
    reengagementSeconds: 7,
    maxSilenceSeconds: 120,
    maxDurationSeconds: 600,
    endpointType: 'vad',
    endpointSensitivity: 0.5,
    interruptSensitivity: 0.5,
    minInterruptWords: 0,
    speechSpeed: 1,
  };
  const named = { wireName: 'x', kind: 'openai-compatible' };
  const language = { iso2: 'en' };
  return {
    assistant,
    voice: named,
    model: named,
    language,
    tools,
    variables: {},
    callNote: `Call ${id}.`,
    knowledgeText: '',
  } as unknown as AssistantForVoice;
}

const handOver = (assistantId: number): CallTool => ({
  type: 'assistant_transfer',
  name: `to_${assistantId}`,
  description: 'On.',
  message: 'One moment.',
  assistantId,
});

/** The part of the queued audio that one frame sends. */
class FakeMedia {
  readonly sampleRateHz = 8000;
  readonly frameSamples = FRAME_SAMPLES;
  #queue: { turn: number; left: number }[] = [];
  play(turn: number, samples: Int16Array): void {
    this.#queue.push({ turn, left: samples.length });
  }
  pausePlayout(): void {}
  lowerPlayout(): void {}
  resumePlayout(): void {}
  clear(): void {
    this.#queue = [];
  }
  take(): { sentTurn: number; sentSamples: number } {
    const first = this.#queue[0];
    if (!first) return { sentTurn: 0, sentSamples: 0 };
    const sentSamples = Math.min(first.left, FRAME_SAMPLES);
    first.left -= sentSamples;
    if (first.left === 0) this.#queue.shift();
    return { sentTurn: first.turn, sentSamples };
  }
}

interface Setup {
  others?: AssistantForVoice[];
  first?: AssistantForVoice;
  /** The settings of the assistant with that id. */
  answersOf: (id: number) => readonly FakeAnswer[];
  /** The id of an assistant whose voice is unavailable. */
  broken?: number;
}

function setup({ first = speaker(1, [handOver(2)]), others = [], answersOf, broken }: Setup) {
  const clock = new ManualClock();
  const media = new FakeMedia();
  const models: ReturnType<typeof createFakeModel>[] = [];
  const released: number[] = [];
  const handed: number[] = [];
  const failures: unknown[] = [];
  const events: ConversationEvent[] = [];
  const enginesOf = ({ assistant: { id } }: AssistantForVoice, usage = new CallUsage()): CallEngines => {
    if (id === broken) throw new Error('no such voice');
    const model = createFakeModel({ clock, answers: answersOf(id) });
    models.push(model);
    const synthesiser = createFakeSynthesiser({ clock });
    return {
      vad: createFakeDetector(),
      model: usage.model(model, { name: `model ${id}`, providerId: id }),
      synthesiser,
      usage,
      release: () => void released.push(id),
    };
  };
  const call = { ...first, type: 'inbound', others, answering: null } as CallForVoice;
  const engines = enginesOf(first);
  const turns = new CallConversations({
    voice: { core: { clock }, engines: { forCall: enginesOf } } as never,
    call,
    engines,
    media: media as unknown as MediaPort,
    servers: { toolsOf: () => [] },
    log: silentLog,
    background: new BackgroundWork(silentLog),
    toolsOf: () => ({ run: async () => ({ isOk: false, text: 'none' }) }),
    onEvent: (event) => void events.push(event),
    onHandOver: ({ assistant }) => void handed.push(assistant.id),
    note: () => undefined,
    onFailure: (error) => void failures.push(error),
  });
  let index = 0;
  const silence = async (forMs: number): Promise<void> => {
    for (let passedMs = 0; passedMs < forMs; passedMs += FRAME_MS) {
      await clock.advanceAsync(FRAME_MS, FRAME_MS);
      const frame = { received: new Int16Array(FRAME_SAMPLES), sent: new Int16Array(FRAME_SAMPLES) };
      turns.tick({
        index: index++,
        isConcealed: false,
        receivedAgoMs: 0,
        queuedSamples: 0,
        ...frame,
        ...media.take(),
      });
    }
  };
  turns.start();
  return { turns, silence, models, usage: engines.usage, released, handed, failures, events, clock };
}

describe('a hand-over', () => {
  it('continues with the next assistant, its voice, its greeting, and the dialogue so far', async () => {
    const { turns, silence, models, usage, released, handed, clock } = setup({
      others: [speaker(2, [])],
      answersOf: (id) => (id === 1 ? [fakeToolCall('', 'to_2')] : [fakeSpeech('Still there?')]),
    });
    await silence(20_000);
    expect(handed).toEqual([2]);
    expect(released).toEqual([1]);
    expect(models[1]?.requests[0]?.dialogue.map((entry) => 'text' in entry && entry.text)).toEqual(
      expect.arrayContaining(['Number 1.', 'One moment.', 'Number 2.']),
    );
    const end = await turns.lineEnded();
    expect(end.turns.map(({ text }) => text)).toEqual([
      'Number 1.',
      'One moment.',
      'Number 2.',
      'Still there?',
    ]);
    const starts = end.turns.map(({ startedAtMs }) => startedAtMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(released).toEqual([1, 2]);
    // The usage of all assistants is counted for the same call.
    expect(new Set(usage.used().map(({ name }) => name))).toEqual(new Set(['model 1', 'model 2']));
    expect(clock.pendingTimers()).toBe(0);
  });

  it('back and forth between two assistants is limited', async () => {
    const { silence, handed, models, turns } = setup({
      others: [speaker(2, [handOver(1)])],
      answersOf: (id) => [fakeToolCall('', id === 1 ? 'to_2' : 'to_1'), fakeSpeech('I stay.')],
    });
    await silence(90_000);
    expect(handed).toEqual([2, 1, 2, 1, 2]);
    expect(models.at(-1)?.requests[0]?.tools.map(({ name }) => name)).toEqual(['end_call']);
    expect((await turns.lineEnded()).toolUses.at(-1)).toMatchObject({ isOk: false, wasRefused: true });
  });

  it.each([
    ['an assistant that is not part of the frozen configuration', speaker(1, [handOver(99)]), 'to_99'],
    ['an assistant without a hand-over tool', speaker(1, []), 'to_2'],
  ])('to %s is none', async (_whom, first, name) => {
    const { silence, handed, events } = setup({
      first,
      others: [speaker(2, [])],
      answersOf: () => [fakeToolCall('', name), fakeSpeech('No.')],
    });
    await silence(15_000);
    expect(handed).toEqual([]);
    expect(events.some(({ type }) => type === 'hang-up')).toBe(false);
  });

  it('to an assistant that cannot speak ends the call', async () => {
    const { silence, failures, handed, turns } = setup({
      others: [speaker(2, [])],
      broken: 2,
      answersOf: () => [fakeToolCall('', 'to_2')],
    });
    await silence(15_000);
    expect(failures).toHaveLength(1);
    expect(handed).toEqual([]);
    expect((await turns.lineEnded()).turns).toHaveLength(2);
  });
});
