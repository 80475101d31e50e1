import { describe, expect, it } from 'vitest';
import {
  describeStep,
  EVENTS,
  noRecogniser,
  NOW_MS,
  PHASES,
  POLICY,
  spokeUntil,
  stateIn,
  tick,
  TURN,
  words,
} from '../../test/turn-states.ts';
import { decideTurn } from './turn.rules.ts';
import type { EventName, PhaseName } from './turn-state.ts';

/** What each event does in a typical moment of each state. What is not listed changes nothing and does nothing. */
const MOVES: Record<PhaseName, Partial<Record<EventName, string>>> = {
  ringing: {
    'line.answered': 'thinking | say greeting as 8',
    'line.ended': 'closed | close',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  opening: {
    'line.ticked': 'thinking | say greeting as 8', // no delay is set
    'line.ended': 'closed | close',
    'recogniser.failed': 'opening | report recogniser | reopen recogniser',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  waiting: {
    'line.ended': 'closed | close',
    'words.recognised': 'ending | draft 8',
    'recogniser.failed': 'waiting | report recogniser | reopen recogniser',
    'key.pressed': 'ending',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  listening: {
    'line.ended': 'hung-up | finalise',
    'recogniser.failed': 'listening | report recogniser | reopen recogniser',
    'hang-up.requested': 'closed | note aside unrecognised | close | hang up: hang_up_requested',
  },
  ending: {
    'words.recognised': 'ending | draft 8',
    'line.ended': 'hung-up | finalise',
    'recogniser.failed': 'ending | report recogniser | reopen recogniser',
    'hang-up.requested': 'closed | note aside unrecognised | close | hang up: hang_up_requested',
  },
  thinking: {
    'line.ticked': 'speaking',
    'line.ended': 'closed | abort 7 | close',
    'recogniser.failed': 'thinking | report recogniser | reopen recogniser',
    'key.pressed': 'ending | abort 7',
    'reply.ended-call': 'closing',
    'reply.failed': 'thinking | abort 7 | report model | say reply again as 8',
    'reply.played': 'thinking | say reply again as 8',
    'hang-up.requested': 'closed | abort 7 | close | hang up: hang_up_requested',
  },
  speaking: {
    'line.ended': 'closed | abort 7 | close',
    'recogniser.failed': 'speaking | report recogniser | reopen recogniser',
    'key.pressed': 'ending | abort 7',
    'reply.ended-call': 'closing',
    'reply.played': 'waiting',
    'hang-up.requested': 'closed | abort 7 | close | hang up: hang_up_requested',
  },
  overlapped: {
    'line.ended': 'hung-up | abort 7 | finalise',
    'recogniser.failed': 'overlapped | report recogniser | reopen recogniser',
    'key.pressed': 'listening | abort 7',
    'reply.ended-call': 'closing | resume',
    'reply.failed': 'listening | report model | abort 7',
    'reply.played': 'listening | resume',
    'hang-up.requested': 'closed | note aside unrecognised | abort 7 | close | hang up: hang_up_requested',
  },
  message: {
    'line.ended': 'closed | close',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  menu: {
    'line.ended': 'closed | close',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  machine: {
    'line.ended': 'closed | close',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  closing: {
    'line.ended': 'closed | abort 7 | close',
    'reply.played': 'closed | abort 7 | close | hang up: end_call',
    'hang-up.requested': 'closed | abort 7 | close | hang up: hang_up_requested',
  },
  attended: {
    'line.ended': 'closed | close',
    'recogniser.failed': 'attended | report recogniser | reopen recogniser',
    'hang-up.requested': 'closed | close | hang up: hang_up_requested',
  },
  'hung-up': {
    'line.ended': 'closed | close',
    'words.recognised': 'closed | note aside speech | close',
    'recogniser.failed': 'closed | close',
    'hang-up.requested': 'closed | close',
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

  it('covers fifteen states and thirteen events', () => {
    expect(PAIRS).toHaveLength(195);
  });

  const STALE = { 'reply.ended-call': 6, 'reply.failed': 6, 'reply.played': 6 } as const;
  it.each(Object.keys(PHASES) as PhaseName[])('%s ignores what an older turn still does', (phase) => {
    for (const [type, turn] of Object.entries(STALE)) {
      const state = stateIn(phase);
      const event = { ...EVENTS[type as keyof typeof STALE], turn };
      expect(decideTurn(state, event, NOW_MS)).toEqual({ state, effects: [] });
    }
  });

  it.each([
    'waiting',
    'listening',
    'ending',
    'thinking',
    'speaking',
    'overlapped',
    'closing',
    'attended',
  ] as const)('%s ends at the limit of the call', (phase) => {
    const step = decideTurn(stateIn(phase), EVENTS['line.ticked'], POLICY.maxCallMs);
    expect(describeStep(step)).toMatch(/^closed \|.* close \| hang up: duration_limit$/u);
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

  it('a reply near the end of the call has a notice to wrap up, a greeting has not', () => {
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

  it('the reply contains the times of the end of speech and of the final transcript', () => {
    const ending = stateIn('ending', { caller: spokeUntil(NOW_MS - 700) });
    const step = decideTurn(ending, words('A room.'), NOW_MS);
    expect(step.state.phase).toMatchObject({ turn: { cause: { speechEndMs: NOW_MS, finalMs: NOW_MS } } });
  });
});
