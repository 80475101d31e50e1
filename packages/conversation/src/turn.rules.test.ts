import { describe, expect, it } from 'vitest';
import { describeStep, EVENTS, NOW_MS, PHASES, POLICY, stateIn, TURN } from '../test/turn-states.ts';
import { NO_ACTIVITY } from './caller-activity.rules.ts';
import { NO_INPUT } from './caller-input.rules.ts';
import { decideTurn } from './turn.rules.ts';
import type { AssistantTurn, EventName, PhaseName, TurnEvent, TurnState } from './turn-state.ts';

/** What each event does in a typical moment of each state. What is not listed changes nothing and does nothing. */
const MOVES: Record<PhaseName, Partial<Record<EventName, string>>> = {
  ringing: {
    'line.answered': 'thinking | say greeting as 8',
    'line.ended': 'closed | close',
    'hang-up.requested': 'closed | close | hang up: operator',
  },
  waiting: {
    'line.ended': 'closed | close',
    'words.recognised': 'ending',
    'recogniser.failed': 'waiting | report recogniser | reopen-recogniser',
    'key.pressed': 'ending',
    'hang-up.requested': 'closed | close | hang up: operator',
  },
  listening: {
    'line.ended': 'closed | note aside unrecognised | close',
    'recogniser.failed': 'listening | report recogniser | reopen-recogniser',
    'hang-up.requested': 'closed | note aside unrecognised | close | hang up: operator',
  },
  ending: {
    'line.ended': 'closed | note aside unrecognised | close',
    'recogniser.failed': 'ending | report recogniser | reopen-recogniser',
    'hang-up.requested': 'closed | note aside unrecognised | close | hang up: operator',
  },
  thinking: {
    'line.ticked': 'speaking',
    'line.ended': 'closed | abort 7 | close',
    'recogniser.failed': 'thinking | report recogniser | reopen-recogniser',
    'key.pressed': 'ending | abort 7',
    'reply.ended-call': 'closing',
    'reply.failed': 'thinking | abort 7 | report model | say reply again as 8',
    'reply.played': 'thinking | say reply again as 8',
    'hang-up.requested': 'closed | abort 7 | close | hang up: operator',
  },
  speaking: {
    'line.ended': 'closed | abort 7 | close',
    'recogniser.failed': 'speaking | report recogniser | reopen-recogniser',
    'key.pressed': 'ending | abort 7',
    'reply.ended-call': 'closing',
    'reply.played': 'waiting',
    'hang-up.requested': 'closed | abort 7 | close | hang up: operator',
  },
  paused: {
    'line.ended': 'closed | note aside unrecognised | abort 7 | close',
    'recogniser.failed': 'paused | report recogniser | reopen-recogniser',
    'key.pressed': 'listening | abort 7',
    'reply.ended-call': 'closing | resume',
    'reply.failed': 'listening | report model | abort 7',
    'reply.played': 'listening | abort 7',
    'hang-up.requested': 'closed | note aside unrecognised | abort 7 | close | hang up: operator',
  },
  closing: {
    'line.ended': 'closed | abort 7 | close',
    'reply.played': 'closed | abort 7 | close | hang up: end_call',
    'hang-up.requested': 'closed | abort 7 | close | hang up: operator',
  },
  closed: {},
};

const PAIRS = Object.keys(PHASES).flatMap((phase) =>
  Object.keys(EVENTS).map((event) => [phase as PhaseName, event as EventName] as const),
);

describe('every state × every event', () => {
  it.each(PAIRS)('%s × %s', (phase, event) => {
    const step = decideTurn(stateIn(phase), EVENTS[event], NOW_MS);
    expect(describeStep(step)).toBe(MOVES[phase][event] ?? phase);
  });

  it('covers nine states and twelve events', () => {
    expect(PAIRS).toHaveLength(108);
  });

  const STALE = { 'reply.ended-call': 6, 'reply.failed': 6, 'reply.played': 6 } as const;
  it.each(Object.keys(PHASES) as PhaseName[])('%s ignores what an older turn still does', (phase) => {
    for (const [type, turn] of Object.entries(STALE)) {
      const state = stateIn(phase);
      const event = { ...EVENTS[type as keyof typeof STALE], turn };
      expect(decideTurn(state, event, NOW_MS)).toEqual({ state, effects: [] });
    }
  });

  it.each(['waiting', 'listening', 'ending', 'thinking', 'speaking', 'paused', 'closing'] as const)(
    '%s ends at the limit of the call',
    (phase) => {
      const step = decideTurn(stateIn(phase), EVENTS['line.ticked'], POLICY.maxCallMs);
      expect(describeStep(step)).toMatch(/^closed \|.* close \| hang up: duration_limit$/u);
    },
  );
});

/** One special moment: a state, changed in some way, an event, and what follows. */
interface Moment {
  sentence: string;
  phase: PhaseName;
  change?: (state: TurnState) => Partial<TurnState>;
  event: TurnEvent;
  nowMs?: number;
  step: string;
}

const tick = (sentTurn = 0, awaits: 'model' | 'voice' | null = null): TurnEvent => ({
  type: 'line.ticked',
  sentTurn,
  awaits,
});
const loud: TurnEvent = { type: 'voice.analysed', probability: 0.9, endMs: NOW_MS };
const quiet: TurnEvent = { type: 'voice.analysed', probability: 0.1, endMs: NOW_MS };
const words = (text: string, endMs: number | null = null): TurnEvent => ({
  type: 'words.recognised',
  text,
  endMs,
});
/** One loud window has been heard; the next makes it speech. */
const aboutToSpeak = { ...NO_ACTIVITY, analysedMs: NOW_MS - 32, loudWindows: 1, loudSinceMs: NOW_MS - 64 };
const spokeUntil = (lastSpeechMs: number): TurnState['caller'] => ({
  ...NO_ACTIVITY,
  startedMs: lastSpeechMs - 300,
  lastSpeechMs,
  analysedMs: NOW_MS,
});
const inTurn = (change: Partial<AssistantTurn>) => (state: TurnState) =>
  'turn' in state.phase ? { phase: { ...state.phase, turn: { ...TURN, ...change } } } : {};
const noRecogniser = () => ({ policy: { ...POLICY, recogniser: null } });

const MOMENTS: Moment[] = [
  {
    sentence: 'the caller may have the first word',
    phase: 'ringing',
    change: () => ({ policy: { ...POLICY, opening: 'caller' } }),
    event: EVENTS['line.answered'],
    step: 'waiting',
  },
  {
    sentence: 'without an initial message the model begins',
    phase: 'ringing',
    change: () => ({ policy: { ...POLICY, opening: 'reply' } }),
    event: EVENTS['line.answered'],
    step: 'thinking | say reply as 8',
  },
  {
    sentence: 'two loud windows are the caller',
    phase: 'waiting',
    change: () => ({ caller: aboutToSpeak }),
    event: loud,
    step: 'listening',
  },
  {
    sentence: 'after a long silence the assistant checks in',
    phase: 'waiting',
    event: tick(),
    nowMs: NOW_MS + 29_000,
    step: 'thinking | say check-in as 8',
  },
  {
    sentence: 'after a longer one it says goodbye',
    phase: 'waiting',
    event: tick(),
    nowMs: NOW_MS + 39_000,
    step: 'closing | say goodbye as 8',
  },
  {
    sentence: 'near the limit of the call it wraps up',
    phase: 'waiting',
    change: ({ quiet }) => ({ quiet: { ...quiet, sinceMs: 589_000, callerSilentSinceMs: 589_000 } }),
    event: tick(),
    nowMs: 590_000,
    step: 'thinking | say wrap-up as 8',
  },
  {
    sentence: 'what is said over the assistant is recognised too',
    phase: 'speaking',
    change: () => ({
      caller: { ...spokeUntil(NOW_MS - 250), isSpeaking: true },
      policy: { ...POLICY, canInterrupt: false },
    }),
    event: quiet,
    step: 'speaking | finalise',
  },
  {
    sentence: 'a hash answers at once',
    phase: 'waiting',
    event: { type: 'key.pressed', digit: '#' },
    step: 'thinking | note dtmf | say reply as 8',
  },
  {
    sentence: 'an empty final in a silence means nothing',
    phase: 'waiting',
    event: words(''),
    step: 'waiting',
  },
  {
    sentence: 'a pause asks for the final',
    phase: 'listening',
    change: () => ({ caller: { ...spokeUntil(NOW_MS - 250), isSpeaking: true } }),
    event: quiet,
    step: 'ending | finalise',
  },
  {
    sentence: 'a pause without a recogniser only waits',
    phase: 'listening',
    change: () => ({ caller: { ...spokeUntil(NOW_MS - 250), isSpeaking: true }, ...noRecogniser() }),
    event: quiet,
    step: 'ending',
  },
  {
    sentence: 'the caller who goes on is listened to',
    phase: 'ending',
    change: () => ({ caller: { ...aboutToSpeak, lastSpeechMs: NOW_MS - 400 } }),
    event: loud,
    step: 'listening',
  },
  {
    sentence: 'the wait is over and nobody recognises words',
    phase: 'ending',
    change: () => ({ caller: spokeUntil(NOW_MS - 500), ...noRecogniser() }),
    event: tick(),
    step: 'thinking | note unrecognised | say reply as 8',
  },
  {
    sentence: 'the wait was over and now the final comes',
    phase: 'ending',
    change: () => ({ caller: spokeUntil(NOW_MS - 700) }),
    event: words('A room, please.'),
    step: 'thinking | note speech | say reply as 8',
  },
  {
    sentence: 'a breath is no turn',
    phase: 'ending',
    change: () => ({
      caller: spokeUntil(NOW_MS - 500),
      input: { ...NO_INPUT, startedMs: NOW_MS - 600, endedMs: NOW_MS - 500, speechMs: 100 },
      ...noRecogniser(),
    }),
    event: tick(),
    step: 'waiting',
  },
  {
    sentence: 'the caller speaks before the first sound: hold it back',
    phase: 'thinking',
    change: () => ({ caller: aboutToSpeak }),
    event: loud,
    step: 'paused | pause',
  },
  {
    sentence: 'the first sound does not come',
    phase: 'thinking',
    event: tick(0, 'model'),
    nowMs: NOW_MS + 2800,
    step: 'thinking | abort 7 | report model | say reply again as 8',
  },
  {
    sentence: 'it does not come the second time either',
    phase: 'thinking',
    change: inTurn({ attempt: 2 }),
    event: tick(0, 'voice'),
    nowMs: NOW_MS + 2300,
    step: 'closing | abort 7 | report voice | say apology as 8',
  },
  {
    sentence: 'a second failure is the last',
    phase: 'thinking',
    change: inTurn({ attempt: 2 }),
    event: EVENTS['reply.failed'],
    step: 'closing | abort 7 | report model | say apology as 8',
  },
  {
    sentence: 'a model that says nothing twice has nothing to say',
    phase: 'thinking',
    change: inTurn({ attempt: 2 }),
    event: EVENTS['reply.played'],
    step: 'waiting',
  },
  {
    sentence: 'words that come too late begin the answer anew',
    phase: 'thinking',
    change: () => ({ taken: { finals: [], text: '', owesFinal: true } }),
    event: words('A room, please.'),
    step: 'thinking | amend "A room, please." | abort 7 | say reply as 8',
  },
  {
    sentence: 'late words that only confirm the guess do not',
    phase: 'thinking',
    change: () => ({ taken: { finals: [], text: 'A room', owesFinal: true } }),
    event: words('A room'),
    step: 'thinking',
  },
  {
    sentence: 'the same final twice counts once',
    phase: 'thinking',
    change: () => ({ taken: { finals: ['A room'], text: 'A room', owesFinal: false } }),
    event: words('A room'),
    step: 'thinking',
  },
  {
    sentence: 'words too late for the answer correct the transcript',
    phase: 'speaking',
    change: () => ({ taken: { finals: ['A room'], text: 'A room', owesFinal: false } }),
    event: words('with a view.'),
    step: 'speaking | amend "A room with a view."',
  },
  {
    sentence: 'the caller speaks: stage 1',
    phase: 'speaking',
    change: () => ({ caller: aboutToSpeak }),
    event: loud,
    step: 'paused | pause',
  },
  {
    sentence: 'the caller may not interrupt',
    phase: 'speaking',
    change: () => ({ caller: aboutToSpeak, policy: { ...POLICY, canInterrupt: false } }),
    event: loud,
    step: 'speaking',
  },
  {
    sentence: 'and is listened to when the assistant has finished',
    phase: 'speaking',
    change: () => ({ caller: { ...NO_ACTIVITY, isSpeaking: true } }),
    event: EVENTS['reply.played'],
    step: 'listening',
  },
  {
    sentence: 'what was said meanwhile is noted',
    phase: 'speaking',
    change: () => ({ input: { ...NO_INPUT, startedMs: NOW_MS - 900, speechMs: 400 } }),
    event: EVENTS['reply.played'],
    step: 'waiting | note aside unrecognised',
  },
  {
    sentence: 'a failure in the middle lets the rest be heard',
    phase: 'speaking',
    event: EVENTS['reply.failed'],
    step: 'speaking',
  },
  {
    sentence: 'and then tries again',
    phase: 'speaking',
    change: () => ({ phase: { ...PHASES.speaking, failedStage: 'model' } }),
    event: EVENTS['reply.played'],
    step: 'thinking | abort 7 | report model | say reply again as 8',
  },
  {
    sentence: 'a gap of three seconds is a failure',
    phase: 'speaking',
    event: tick(0, 'voice'),
    nowMs: NOW_MS + 2980,
    step: 'thinking | abort 7 | report voice | say reply again as 8',
  },
  {
    sentence: 'half a second of speech: stage 2',
    phase: 'paused',
    change: ({ caller }) => ({ caller: { ...caller, startedMs: NOW_MS - 500 } }),
    event: loud,
    step: 'listening | abort 7',
  },
  {
    sentence: 'as long, but fewer words than asked for',
    phase: 'paused',
    change: ({ caller }) => ({
      caller: { ...caller, startedMs: NOW_MS - 500 },
      policy: { ...POLICY, minInterruptWords: 2 },
    }),
    event: loud,
    step: 'paused',
  },
  {
    sentence: 'now the words are there, the speech is already over',
    phase: 'paused',
    change: ({ caller }) => ({
      caller: { ...caller, startedMs: NOW_MS - 500, isSpeaking: false },
      policy: { ...POLICY, minInterruptWords: 2 },
    }),
    event: EVENTS['words.guessed'],
    step: 'ending | abort 7',
  },
  {
    sentence: 'a cough: the sound goes on',
    phase: 'paused',
    change: () => ({ caller: spokeUntil(NOW_MS - 2000) }),
    event: tick(),
    step: 'speaking | note aside unrecognised | resume',
  },
  {
    sentence: 'a cough before the first sound: it may come now',
    phase: 'paused',
    change: () => ({
      caller: spokeUntil(NOW_MS - 2000),
      phase: { ...PHASES.paused, hasSounded: false },
    }),
    event: tick(),
    step: 'thinking | note aside unrecognised | resume',
  },
  {
    sentence: 'a goodbye that does not come is not waited for',
    phase: 'closing',
    event: tick(),
    nowMs: NOW_MS + 4980,
    step: 'closed | abort 7 | close | hang up: end_call',
  },
  {
    sentence: 'a goodbye that is being heard is',
    phase: 'closing',
    event: tick(7),
    nowMs: NOW_MS + 60_000,
    step: 'closing',
  },
  {
    sentence: 'the recogniser fails for the second time',
    phase: 'speaking',
    change: () => ({ recogniserFailures: 1 }),
    event: EVENTS['recogniser.failed'],
    step: 'closing | report recogniser | abort 7 | say apology as 8',
  },
];

describe('special moments', () => {
  it.each(MOMENTS)('$phase: $sentence', ({ phase, change, event, nowMs, step }) => {
    const usual = stateIn(phase);
    const state = { ...usual, ...change?.(usual) };
    expect(describeStep(decideTurn(state, event, nowMs ?? NOW_MS))).toBe(step);
  });
});

describe('what is remembered', () => {
  it('a word of the recogniser forgives its failure', () => {
    const state = stateIn('listening', { recogniserFailures: 1 });
    expect(decideTurn(state, words('Yes.'), NOW_MS).state.recogniserFailures).toBe(0);
  });

  it('a check-in restarts the wait for the next, but not the caller’s silence', () => {
    const speaking = stateIn('speaking');
    const state = {
      ...speaking,
      phase: { ...PHASES.speaking, turn: { ...TURN, kind: 'check-in' as const } },
    };
    const { quiet } = decideTurn(state, EVENTS['reply.played'], NOW_MS).state;
    expect(quiet).toMatchObject({ sinceMs: NOW_MS, callerSilentSinceMs: NOW_MS - 1000, checkIns: 1 });
  });

  it('an answer of the caller makes check-ins count from nought', () => {
    const ending = stateIn('ending', { caller: spokeUntil(NOW_MS - 500), ...noRecogniser() });
    const state = { ...ending, quiet: { ...ending.quiet, checkIns: 2 } };
    expect(decideTurn(state, tick(), NOW_MS).state.quiet.checkIns).toBe(0);
  });

  it('a reply near the end of the call is told to wrap up, a greeting is not', () => {
    const short = { ...POLICY, maxCallMs: NOW_MS + 5000, recogniser: null };
    const ending = stateIn('ending', { caller: spokeUntil(NOW_MS - 500), policy: short });
    expect(decideTurn(ending, tick(), NOW_MS).effects).toContainEqual(
      expect.objectContaining({ type: 'say', mustWrapUp: true }),
    );
    const ringing = stateIn('ringing', { policy: short });
    expect(decideTurn(ringing, EVENTS['line.answered'], NOW_MS).effects).toContainEqual(
      expect.objectContaining({ type: 'say', mustWrapUp: false }),
    );
  });

  it('the reply knows when the caller had finished and when the final came', () => {
    const ending = stateIn('ending', { caller: spokeUntil(NOW_MS - 700) });
    const step = decideTurn(ending, words('A room.'), NOW_MS);
    expect(step.state.phase).toMatchObject({ turn: { cause: { speechEndMs: NOW_MS, finalMs: NOW_MS } } });
  });
});
