/** What must hold whatever happens, in whatever order: the rules against streams of chance. */
import { describe, expect, it } from 'vitest';
import { chance, type Chance } from '../../test/random.ts';
import { SETTINGS } from '../../test/scenario.ts';
import { turnPolicy, type TurnPolicy } from './turn-policy.rules.ts';
import { decideTurn } from './turn.rules.ts';
import { ringingState, type Effect, type TurnEvent, type TurnState } from './turn-state.ts';

const SEEDS = Array.from({ length: 150 }, (_none, n) => n + 1);
const EVENTS_PER_STREAM = 600;
const FILLERS = { neutral: ['Okay.'], negative: [], positive: [], question: [] };

/** @param opening - decides how the call begins; other settings and events stay those of `dice` */
function randomPolicy(dice: Chance, opening: Chance): TurnPolicy {
  const settings = {
    ...SETTINGS,
    whoSpeaksFirst: dice.isHit(0.3) ? ('customer' as const) : ('assistant' as const),
    initialMessage: dice.isHit(0.2) ? '' : 'Hello.',
    greetingDelaySeconds: opening.isHit(0.5) ? opening.next() : null,
    isGreetingInterruptible: opening.isHit(0.8),
    allowInterruptions: dice.isHit(0.8),
    interruptSensitivitySeconds: dice.next(),
    endpointSensitivitySeconds: dice.next(),
    endpointType: dice.isHit(0.5) ? ('ai' as const) : ('vad' as const),
    fillers: dice.isHit(0.5) ? FILLERS : null,
    minInterruptWords: dice.whole(3),
    reEngagementIntervalSeconds: 1 + dice.whole(5),
    maxSilenceSeconds: 1 + dice.whole(10),
    maxCallSeconds: 10 + dice.whole(60),
  };
  const endOfTurn = dice.isHit(0.3) ? ('semantic' as const) : ('none' as const);
  const traits = { hasInterim: true, finalWithinMs: dice.whole(600), endOfTurn, fallbacks: dice.whole(2) };
  return turnPolicy(settings, dice.isHit(0.5) ? traits : null);
}

/** Mostly time and voice; now and then anything at all, also for turns that are long over. */
function randomEvent(dice: Chance, state: TurnState, nowMs: number, isLoud: boolean): TurnEvent {
  const turn = Math.max(0, state.lastTurn - (dice.isHit(0.2) ? dice.whole(3) : 0));
  const sentTurn = isHeldIn(state) || dice.isHit(0.4) ? 0 : turn;
  const tick: TurnEvent = {
    type: 'line.ticked',
    sentTurn,
    isFiller: dice.isHit(0.1),
    awaits: dice.isHit(0.5) ? 'model' : null,
  };
  const voice: TurnEvent = { type: 'voice.analysed', probability: isLoud ? dice.next() : 0, endMs: nowMs };
  const rare: TurnEvent[] = [
    { type: 'line.answered' },
    { type: 'words.guessed', text: 'one two' },
    { type: 'words.ended' },
    {
      type: 'words.recognised',
      text: dice.isHit(0.3) ? '' : 'one two',
      endMs: dice.isHit(0.5) ? nowMs : null,
    },
    { type: 'recogniser.failed' },
    { type: 'turn-end.judged', confidence: dice.next(), isDefinite: dice.isHit(0.3) },
    { type: 'key.pressed', digit: dice.isHit(0.3) ? '#' : '4' },
    { type: 'reply.ended-call', turn },
    { type: 'reply.failed', turn, stage: dice.isHit(0.5) ? 'model' : 'voice' },
    { type: 'reply.played', turn, text: 'Good.' },
    { type: 'reply.played', turn, text: 'Is it?' },
    ...(dice.isHit(0.02) ? ([{ type: 'line.ended' }] as const) : []),
    ...(dice.isHit(0.02) ? ([{ type: 'hang-up.requested', reason: 'shutdown' }] as const) : []),
  ];
  if (dice.isHit(0.08)) return rare[dice.whole(rare.length)] ?? tick;
  return dice.isHit(0.5) ? tick : voice;
}

function isHeldIn({ phase }: TurnState): boolean {
  return phase.name === 'overlapped' && phase.isHeld;
}

interface Happening {
  event: TurnEvent;
  state: TurnState;
  effects: readonly Effect[];
}

function play(seed: number): Happening[] {
  const dice = chance(seed);
  let state = ringingState(randomPolicy(dice, chance(seed + SEEDS.length)));
  let nowMs = 0;
  let isLoud = false;
  const happenings: Happening[] = [];
  for (let n = 0; n < EVENTS_PER_STREAM; n++) {
    if (dice.isHit(0.05)) isLoud = !isLoud;
    // Never twice at the same instant: two keys would look like one that was noted twice.
    nowMs += 1 + dice.whole(3) * 20 + (dice.isHit(0.005) ? 4000 : 0);
    const event: TurnEvent = n === 0 ? { type: 'line.answered' } : randomEvent(dice, state, nowMs, isLoud);
    const step = decideTurn(state, event, nowMs);
    state = step.state;
    happenings.push({ event, state, effects: step.effects });
  }
  return happenings;
}

const STREAMS = SEEDS.map((seed) => [seed, play(seed)] as const);
const effectsOf = (happenings: readonly Happening[]): Effect[] =>
  happenings.flatMap(({ effects }) => effects);

describe('whatever happens', () => {
  it('never are two turns of the assistant under way', () => {
    for (const [seed, happenings] of STREAMS) {
      const underWay = new Set<number>();
      const doings = happenings.flatMap(({ event, effects }) => [event, ...effects]);
      for (const doing of doings) {
        if (doing.type === 'reply.played') underWay.delete(doing.turn);
        if (doing.type === 'abort') underWay.delete(doing.turn);
        if (doing.type !== 'say') continue;
        expect(underWay, `seed ${seed}, turn ${doing.turn.number}`).toEqual(new Set());
        underWay.add(doing.turn.number);
      }
    }
  });

  it('numbers of turns are given once, upwards', () => {
    for (const [seed, happenings] of STREAMS) {
      const said = effectsOf(happenings).flatMap((effect) =>
        effect.type === 'say' ? [effect.turn.number] : [],
      );
      expect(said, `seed ${seed}`).toEqual([...new Set(said)].toSorted((a, b) => a - b));
    }
  });

  it('playout is paused exactly while an overlapped turn is held', () => {
    for (const [seed, happenings] of STREAMS) {
      let isPaused = false;
      const wrong = happenings.filter(({ state, effects }) => {
        for (const { type } of effects) {
          if (type === 'pause') isPaused = true;
          if (type === 'resume' || type === 'abort') isPaused = false;
        }
        return isPaused !== isHeldIn(state);
      });
      expect(wrong, `seed ${seed}`).toEqual([]);
    }
  });

  it('the level is lowered only in the state overlapped', () => {
    for (const [seed, happenings] of STREAMS) {
      let isLowered = false;
      const wrong = happenings.filter(({ state, effects }) => {
        for (const { type } of effects) {
          if (type === 'lower') isLowered = true;
          if (type === 'resume' || type === 'abort') isLowered = false;
        }
        return isLowered && state.phase.name !== 'overlapped';
      });
      expect(wrong, `seed ${seed}`).toEqual([]);
    }
  });

  it('a call ends once, and then nothing is done any more', () => {
    for (const [seed, happenings] of STREAMS) {
      const closedAt = happenings.findIndex(({ state }) => state.phase.name === 'closed');
      const until = effectsOf(closedAt < 0 ? happenings : happenings.slice(0, closedAt + 1));
      expect(
        until.filter(({ type }) => type === 'close'),
        `seed ${seed}`,
      ).toHaveLength(closedAt < 0 ? 0 : 1);
      expect(until.filter(({ type }) => type === 'hang-up').length, `seed ${seed}`).toBeLessThanOrEqual(1);
      if (closedAt >= 0) expect(effectsOf(happenings.slice(closedAt + 1)), `seed ${seed}`).toEqual([]);
    }
  });

  it('no call outlives its limit', () => {
    for (const [seed, happenings] of STREAMS) {
      const { policy } = happenings[0]?.state ?? expect.fail('no stream');
      const last = happenings.at(-1)?.state ?? expect.fail('no stream');
      const step = decideTurn(
        last,
        { type: 'line.ticked', sentTurn: 0, isFiller: false, awaits: null },
        policy.maxCallMs,
      );
      expect(step.state.phase.name, `seed ${seed}`).toBe('closed');
    }
  });

  it('nothing the caller said is noted twice', () => {
    for (const [seed, happenings] of STREAMS) {
      const spans = effectsOf(happenings)
        .flatMap((effect) => (effect.type === 'note-caller' ? [effect.utterance] : []))
        .map(({ kind, startedMs }) => `${kind} ${startedMs}`);
      expect(spans, `seed ${seed}`).toEqual([...new Set(spans)]);
    }
  });

  it('the streams go everywhere: every state is reached', () => {
    const reached = new Set(
      STREAMS.flatMap(([, happenings]) => happenings.map(({ state }) => state.phase.name)),
    );
    expect([...reached].toSorted()).toEqual([
      'closed',
      'closing',
      'ending',
      'hung-up',
      'listening',
      'opening',
      'overlapped',
      'speaking',
      'thinking',
      'waiting',
    ]);
  });
});
