/** What must hold in every conversation: whole ones in virtual time, driven by chance, compared with what the line sent. */
import { describe, expect, it } from 'vitest';
import { ManualClock } from '@parley/runtime';
import { SpeechError } from '@parley/speech';
import {
  createFakeModel,
  createFakeRecogniser,
  createFakeSynthesiser,
  fakeSpeech,
  fakeToolCall,
  type FakeAnswer,
} from '@parley/speech/fakes';
import { chance, type Chance } from '../test/random.ts';
import { markedFillers } from '../test/fake-line.ts';
import { Scenario } from '../test/scenario.ts';

const SEEDS = Array.from({ length: 12 }, (_none, n) => n + 1);
const MS_PER_CHARACTER = 50;
const SAMPLES_PER_MS = 8;
/** The longest word of the texts, and the spaces between pieces, which make no sound. */
const ONE_WORD = 12;
const GONE = new SpeechError('unavailable', 'gone');
const TEXTS = [
  'Yes.',
  'We open at nine, and we close at six. On Sundays we are closed.',
  'One two three four five six seven eight nine ten eleven twelve thirteen fourteen.',
  'Could you say that again, please? I did not quite get it!',
];

function randomAnswer(dice: Chance): FakeAnswer {
  const text = TEXTS[dice.whole(TEXTS.length)] ?? '';
  const delays = { firstAfterMs: dice.whole(900), eachAfterMs: dice.whole(60) };
  if (dice.isHit(0.05)) return { events: [], failWith: GONE };
  if (dice.isHit(0.1)) return { ...fakeSpeech(text, delays), failWith: GONE };
  if (dice.isHit(0.05)) return fakeToolCall('Goodbye then.', 'end_call');
  return fakeSpeech(text, delays);
}

function randomCall(seed: number): { call: Scenario; dice: Chance } {
  const dice = chance(seed);
  const clock = new ManualClock();
  const utterances = Array.from({ length: 50 }, (_none, n) => `utterance ${n}`);
  const finalAfterMs = dice.whole(700);
  const call = new Scenario({
    clock,
    model: createFakeModel({ clock, answers: () => randomAnswer(dice) }),
    synthesiser: markedFillers(
      createFakeSynthesiser({
        clock,
        msPerCharacter: MS_PER_CHARACTER,
        firstChunkAfterMs: dice.whole(300),
        chunkEveryMs: dice.whole(60),
        failWith: () => (dice.isHit(0.03) ? GONE : null),
      }),
    ),
    ...(dice.isHit(0.5) ? { recogniser: createFakeRecogniser({ clock, utterances, finalAfterMs }) } : {}),
    settings: {
      initialMessage: TEXTS[dice.whole(TEXTS.length)] ?? '',
      greetingDelaySeconds: dice.isHit(0.5) ? 1 : null,
      allowInterruptions: dice.isHit(0.8),
      interruptSensitivitySeconds: dice.next(),
      endpointSensitivitySeconds: dice.next(),
      reEngagementIntervalSeconds: 3,
      maxSilenceSeconds: 8,
      maxCallSeconds: 20 + dice.whole(20),
    },
  });
  return { call, dice };
}

/** Twenty-five times the caller speaks, is silent or presses a key; then the line goes. */
async function converse(seed: number): Promise<Scenario> {
  const { call, dice } = randomCall(seed);
  call.line.lateFrames = seed % 3;
  await call.answer(dice.isHit(0.5) ? 4000 : 0);
  for (let n = 0; n < 25; n++) {
    await call.silence(dice.whole(2200));
    if (dice.isHit(0.7)) await call.speech(dice.whole(1200));
    if (dice.isHit(0.15)) call.press(String(dice.whole(10)));
  }
  await call.endWithoutWords();
  call.line.followAllOrders();
  return call;
}

/** Each turn that left, by its number: when its first frame of words began, and how much of them left. */
function sentTurns({ line }: Scenario): Map<number, { startedAtMs: number; sentMs: number }> {
  const turns = new Map<number, { startedAtMs: number; sentMs: number }>();
  for (const { turn, samples, fillerSamples, index } of line.sent) {
    if (samples === fillerSamples) continue;
    const known = turns.get(turn) ?? { startedAtMs: index * 20, sentMs: 0 };
    turns.set(turn, { ...known, sentMs: known.sentMs + (samples - fillerSamples) / SAMPLES_PER_MS });
  }
  return turns;
}

describe.each(SEEDS)('conversation of chance %i', (seed) => {
  it('tells what was heard to a word, sends nothing stale, and leaves nothing behind', async () => {
    const call = await converse(seed);
    const told = call.conversation.transcript().filter(({ sender }) => sender === 'bot');
    const sent = sentTurns(call);
    for (const { text, startedAtMs } of told) {
      const turn = [...sent.values()].find((other) => other.startedAtMs === startedAtMs);
      const heardCharacters = (turn?.sentMs ?? 0) / MS_PER_CHARACTER;
      expect(Math.abs(text.length - heardCharacters), text).toBeLessThanOrEqual(ONE_WORD);
    }
    for (const { startedAtMs, sentMs } of sent.values()) {
      const isTold = told.some((turn) => turn.startedAtMs === startedAtMs);
      expect(isTold || sentMs / MS_PER_CHARACTER <= ONE_WORD).toBe(true);
    }
    const numbers = call.line.sent.map(({ turn }) => turn);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(call.clock.pendingTimers()).toBe(0);
    expect(call.line.queuedSamples()).toBe(0);
    expect(call.line.isPaused).toBe(false);
  });
});
