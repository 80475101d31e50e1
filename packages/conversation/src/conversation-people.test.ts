/**
 * Conversations with people, generated from seeds, in virtual time: whatever they do, in what mixture, each of their turns
 * is answered. The same plans run on a real line with `npm run bench:people`. `npm run test:random` draws thousands.
 */
import { ManualClock, pause, type Clock } from '@parley/runtime';
import type { Synthesiser } from '@parley/speech';
import { createFakeModel, fakeSpeech } from '@parley/speech/fakes';
import { ASSISTANT_PAUSE_MS, needsAnswer, planCall } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { FakeLine } from '../test/fake-line.ts';
import { lateDetector, personHearing, type HearingKind } from '../test/person-hearing.ts';
import { chance } from '../test/random.ts';
import { Scenario } from '../test/scenario.ts';
import { PERSON_RATE_HZ, VirtualPerson, type Said } from '../test/virtual-person.ts';

const SEED = Number(process.env['PARLEY_SEED'] ?? 0);
const IS_LONG = process.env['PARLEY_LONG'] === 'true' || SEED !== 0;
const CALLS = Number(process.env['PARLEY_FUZZ_RUNS'] ?? (SEED !== 0 ? 2000 : IS_LONG ? 200 : 50));
/** Seeds of calls that went wrong once. */
const FOUND: Record<HearingKind, readonly number[]> = {
  whole: [500_146],
  streaming: [674_808_388, 500_027, 600_100, 601_191],
};
/** The acts of each plan that are carried out; all of them would take longer than `npm test` allows. */
const ACTS = IS_LONG ? Infinity : 6;
const FRAME_MS = 20;
const MS_PER_CHARACTER = 50;
const REPLY = 'Very good, I have written that down. What else may I do for you?';
const EXPECTED_MS = REPLY.length * MS_PER_CHARACTER;
const VOICE_DELAY_MS = 120;
const RE_ENGAGEMENT_MS = 7000;
const MAX_SILENCE_MS = 45_000;
const ANSWER_LIMIT_MS = 4000;
/** From the decision to speak to the first sound, at most. */
const REPLY_DELAY_MS = 1500;

interface PersonsCall {
  kind: HearingKind;
  call: Scenario;
  said: readonly Said[];
  doneMs: number;
}

async function converse(kind: HearingKind, seed: number): Promise<PersonsCall> {
  const dice = chance(seed);
  const clock = new ManualClock();
  const plan = planCall(() => dice.next()).slice(0, ACTS);
  const hearing = personHearing(kind, clock, dice);
  const call = new Scenario({
    clock,
    line: new FakeLine(PERSON_RATE_HZ),
    vad: lateDetector(),
    recogniser: hearing.recogniser,
    model: createFakeModel({
      clock,
      answers: () => fakeSpeech(REPLY, { firstAfterMs: 150 + dice.whole(400) }),
    }),
    synthesiser: silentVoice(clock),
    settings: {
      initialMessage: REPLY,
      greetingDelaySeconds: dice.isHit(0.5) ? 1 : null,
      reEngagementIntervalSeconds: RE_ENGAGEMENT_MS / 1000,
      maxSilenceSeconds: MAX_SILENCE_MS / 1000,
    },
  });
  call.line.lateFrames = 1;
  const pace = 0.8 + 0.8 * dice.next();
  const person = new VirtualPerson({ call, plan, hearing, expectedMs: EXPECTED_MS, pace });
  await call.answer(1000);
  await person.live();
  return { kind, call, said: person.said, doneMs: call.line.nowMs() };
}

/** Takes as long as any voice, and computes nothing. */
function silentVoice(clock: Clock): Synthesiser {
  return {
    capabilities: { sampleRatesHz: [PERSON_RATE_HZ], settings: [] },
    async *speak(text, _options, signal) {
      await pause(clock, VOICE_DELAY_MS, signal);
      if (!signal.aborted)
        yield new Int16Array((text.trim().length * MS_PER_CHARACTER * PERSON_RATE_HZ) / 1000);
    },
  };
}

/** The stretches in which the assistant sounded, cut where a turn ends. */
function turnsOf({ line }: Scenario): { turn: number; fromMs: number; toMs: number; sentMs: number }[] {
  const turns: { turn: number; fromMs: number; toMs: number; sentMs: number }[] = [];
  for (const { turn, index } of line.sent) {
    const last = turns.at(-1);
    const toMs = (index + 1) * FRAME_MS;
    if (last?.turn !== turn) turns.push({ turn, fromMs: index * FRAME_MS, toMs, sentMs: FRAME_MS });
    else {
      last.toMs = toMs;
      last.sentMs += FRAME_MS;
    }
  }
  return turns;
}

/** The same, cut at pauses of the assistant, too: a reply that a continued sentence has held back answers it when it resumes. */
function soundsOf({ line }: Scenario): { turn: number; turnFromMs: number; fromMs: number; toMs: number }[] {
  const sounds: { turn: number; turnFromMs: number; fromMs: number; toMs: number }[] = [];
  for (const { turn, index } of line.sent) {
    const [fromMs, toMs] = [index * FRAME_MS, (index + 1) * FRAME_MS];
    const last = sounds.at(-1);
    const isSame = last?.turn === turn;
    if (isSame && fromMs - last.toMs < ASSISTANT_PAUSE_MS) last.toMs = toMs;
    else sounds.push({ turn, turnFromMs: isSame ? last.turnFromMs : fromMs, fromMs, toMs });
  }
  return sounds;
}

/** What is wrong with a call, in words. */
function faultsOf(persons: PersonsCall): string[] {
  return [...unanswered(persons), ...deadAir(persons), ...stopped(persons), ...spokenOver(persons)];
}

function unanswered({ call, said, doneMs }: PersonsCall): string[] {
  const turns = soundsOf(call);
  const acts = said.filter(({ act }) => needsAnswer(act));
  return acts.flatMap(({ act, onsetMs, endMs }, at) => {
    const limitMs = Math.min(endMs + ANSWER_LIMIT_MS, acts[at + 1]?.onsetMs ?? doneMs);
    const isAnswered = turns.some(
      ({ fromMs, turnFromMs }) => fromMs >= endMs - 100 && fromMs <= limitMs && turnFromMs >= onsetMs,
    );
    return isAnswered ? [] : [`${act} until ${endMs} unanswered`];
  });
}

function deadAir({ call, said, doneMs }: PersonsCall): string[] {
  const frames = call.line.sent.map(({ index }) => ({
    onsetMs: index * FRAME_MS,
    endMs: (index + 1) * FRAME_MS,
  }));
  const speech = said.filter(({ act }) => act !== 'silence');
  const sounds = [...frames, ...speech].toSorted((a, b) => a.onsetMs - b.onsetMs);
  const found: string[] = [];
  let heardMs = 0;
  for (const { onsetMs, endMs } of [...sounds, { onsetMs: doneMs, endMs: doneMs }]) {
    const isMeant = said.some(
      ({ act, ...silence }) => act === 'silence' && silence.onsetMs < onsetMs && silence.endMs > heardMs,
    );
    const lengthMs = onsetMs - heardMs;
    if (lengthMs > (isMeant ? RE_ENGAGEMENT_MS + REPLY_DELAY_MS : ANSWER_LIMIT_MS))
      found.push(`dead air of ${lengthMs} ms from ${heardMs}`);
    if (isMeant && !isReplyDue(said, onsetMs) && onsetMs < doneMs && lengthMs < RE_ENGAGEMENT_MS - FRAME_MS)
      found.push(`spoke again after ${lengthMs} ms of silence from ${heardMs}`);
    heardMs = Math.max(heardMs, endMs);
  }
  return found;
}

/** The person has spoken shortly before, so that the assistant may speak, although it need not. */
function isReplyDue(said: readonly Said[], atMs: number): boolean {
  return said.some(({ act, endMs }) => act !== 'silence' && endMs <= atMs && atMs - endMs < ANSWER_LIMIT_MS);
}

/**
 * Turns that a backchannel has stopped. Where a streaming recogniser transcribes a voice in the background, the words are
 * not those of a backchannel, and the assistant may stop.
 */
function stopped({ kind, call, said }: PersonsCall): string[] {
  const turns = turnsOf(call);
  return said.flatMap(({ act, onsetMs, endMs, hasBackground }, at) => {
    if (kind === 'streaming' && hasBackground) return [];
    const turn = turns.find(({ fromMs, toMs }) => fromMs < onsetMs && toMs > onsetMs);
    const next = said[at + 1];
    if (act !== 'backchannel' || !turn || (next && next.act !== 'silence' && next.onsetMs < turn.toMs + 1000))
      return [];
    const isCut = turn.sentMs < EXPECTED_MS - 2 * FRAME_MS;
    const holeMs = turn.toMs - turn.fromMs - turn.sentMs;
    if (isCut) return [`backchannel ${onsetMs}-${endMs} stopped turn ${turn.turn}`];
    return holeMs > 0 ? [`hole of ${holeMs} at backchannel ${onsetMs}-${endMs}`] : [];
  });
}

/** Long answers over which the assistant has spoken. */
function spokenOver({ call, said }: PersonsCall): string[] {
  return said.flatMap(({ act, onsetMs, endMs }) => {
    if (act !== 'long') return [];
    const over = call.line.sent.filter(
      ({ index }) => index * FRAME_MS > onsetMs + 1000 && index * FRAME_MS < endMs,
    );
    return over.length > 0 ? [`${over.length} frames over the answer ${onsetMs}-${endMs}`] : [];
  });
}

describe.each<HearingKind>(['whole', 'streaming'])('people and a recogniser that is %s', (kind) => {
  const drawn = Array.from({ length: CALLS / 2 }, (_none, n) => SEED + n);
  const seeds = SEED === 0 ? [...drawn, ...FOUND[kind]] : drawn;
  it.each(seeds)('call %i', async (seed) => {
    const persons = await converse(kind, seed);
    const faults = faultsOf(persons);
    await persons.call.endWithoutWords();
    expect(faults).toEqual([]);
  });
});
