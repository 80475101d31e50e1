/**
 * What a caller hears whatever providers do, by the rules alone: fast-check looks for a course of events in which the
 * line seems dead, two turns of the assistant sound, or the call outlives its limit, and shrinks it to the shortest.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../test/scenario.ts';
import { turnPolicy } from './turn-policy.rules.ts';
import { decideTurn } from './turn.rules.ts';
import { ringingState, type Effect, type TurnEvent, type TurnState } from './turn-state.ts';

const FRAME_MS = 20;
const CLIP_MS = 800;
const FILLERS = { neutral: ['Okay.'], negative: [], positive: [], question: [] };

/** For so long the providers do this, and the caller speaks or does not. */
interface Stretch {
  forMs: number;
  isCallerSpeaking: boolean;
  /** `empty`: a turn without a word. `torn`: it fails after what it gave. */
  provider: 'gives' | 'finishes' | 'stalls' | 'fails' | 'empty' | 'torn' | 'works with a tool';
  words: string | null;
}

interface Course {
  areFillersOn: boolean;
  canInterrupt: boolean;
  hasRecogniser: boolean;
  stretches: Stretch[];
}

const stretch: fc.Arbitrary<Stretch> = fc.record({
  forMs: fc.integer({ min: FRAME_MS, max: 5000 }),
  isCallerSpeaking: fc.boolean(),
  provider: fc.constantFrom(
    'gives',
    'finishes',
    'stalls',
    'stalls',
    'fails',
    'empty',
    'torn',
    'works with a tool',
  ),
  words: fc.constantFrom(null, 'One two.', 'mm-hm', 'and', ''),
});
const course: fc.Arbitrary<Course> = fc.record({
  areFillersOn: fc.boolean(),
  canInterrupt: fc.boolean(),
  hasRecogniser: fc.boolean(),
  stretches: fc.array(stretch, { minLength: 1, maxLength: 25 }),
});

/** A call by the rules alone, with the sound that its effects would make. */
class RuledCall {
  state: TurnState;
  nowMs = 0;
  /** When anything was last to be heard. */
  soundMs = 0;
  longestSilenceMs = 0;
  /** Turns being made, of which there must never be two. */
  readonly making = new Set<number>();
  readonly most = { making: 0 };
  #clipLeftMs = 0;

  constructor({ areFillersOn, canInterrupt, hasRecogniser }: Course) {
    const settings = {
      ...SETTINGS,
      allowInterruptions: canInterrupt,
      fillers: areFillersOn ? FILLERS : null,
    };
    const traits = { hasInterim: true, finalWithinMs: 400, endOfTurn: 'none', fallbacks: 0 } as const;
    this.state = ringingState(turnPolicy(settings, hasRecogniser ? traits : null));
    this.tell({ type: 'line.answered' });
  }

  tell(event: TurnEvent): void {
    const { state, effects } = decideTurn(this.state, event, this.nowMs);
    this.state = state;
    for (const effect of effects) this.#note(effect);
  }

  live({ forMs, isCallerSpeaking, provider, words }: Stretch): void {
    const [turn] = this.making;
    if (turn !== undefined && provider === 'fails') this.tell({ type: 'reply.failed', turn, stage: 'model' });
    if (turn !== undefined && provider === 'torn') this.tell({ type: 'reply.failed', turn, stage: 'voice' });
    for (let leftMs = forMs; leftMs > 0; leftMs -= FRAME_MS) this.#frame(isCallerSpeaking, provider);
    if (words !== null) this.#recognise(words);
    const [last] = this.making;
    if (last !== undefined && provider !== 'stalls' && provider !== 'gives') this.#played(last);
  }

  #frame(isCallerSpeaking: boolean, provider: Stretch['provider']): void {
    this.nowMs += FRAME_MS;
    const [turn = 0] = this.making;
    const { phase } = this.state;
    const isPlaying = !(phase.name === 'overlapped' && phase.isHeld) && turn > 0;
    const isFiller = isPlaying && this.#clipLeftMs > 0;
    const hasWords = provider === 'gives' || provider === 'finishes' || provider === 'torn';
    const sentTurn = isFiller || (isPlaying && hasWords) ? turn : 0;
    if (isFiller) this.#clipLeftMs -= FRAME_MS;
    const awaits = provider === 'works with a tool' ? 'tool' : 'model';
    if (sentTurn > 0 || isCallerSpeaking) this.soundMs = this.nowMs;
    this.tell({ type: 'line.ticked', sentTurn, isFiller, awaits });
    this.tell({ type: 'voice.analysed', probability: isCallerSpeaking ? 1 : 0, endMs: this.nowMs });
    this.#noteSilence();
  }

  /** Words without a voice were spoken too softly for the detector. */
  #recognise(text: string): void {
    const wasSilent = this.state.input.startedMs === null;
    this.tell({ type: 'words.recognised', text, endMs: null });
    if (wasSilent && this.state.input.startedMs !== null) this.soundMs = this.nowMs;
  }

  #played(turn: number): void {
    this.making.delete(turn);
    this.tell({ type: 'reply.played', turn, text: 'Is it?' });
  }

  /** Silence counts while the caller waits for an answer; not after a check-in or the end. */
  #noteSilence(): void {
    const { phase } = this.state;
    const isWaiting = phase.name === 'thinking' || phase.name === 'speaking';
    if (!isWaiting || (phase.turn.kind !== 'reply' && phase.turn.kind !== 'greeting')) return;
    this.longestSilenceMs = Math.max(this.longestSilenceMs, this.nowMs - this.soundMs);
  }

  #note(effect: Effect): void {
    if (effect.type === 'fill') this.#clipLeftMs = CLIP_MS;
    if (effect.type === 'abort') {
      this.making.delete(effect.turn);
      this.#clipLeftMs = 0;
    }
    if (effect.type !== 'say') return;
    this.making.add(effect.turn.number);
    this.most.making = Math.max(this.most.making, this.making.size);
  }
}

function play(given: Course): RuledCall {
  const call = new RuledCall(given);
  for (const part of given.stretches) call.live(part);
  return call;
}

describe('whatever providers and callers do', () => {
  it('a caller who waits for an answer hears no silence of more than four seconds', () => {
    fc.assert(
      fc.property(course, (given) => {
        expect(play(given).longestSilenceMs).toBeLessThanOrEqual(4000);
      }),
      { numRuns: 300 },
    );
  });

  it('there are never two turns of the assistant at once', () => {
    fc.assert(
      fc.property(course, (given) => {
        expect(play(given).most.making).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it('a call in which nothing happens any more ends by itself', () => {
    fc.assert(
      fc.property(course, (given) => {
        const call = play(given);
        const rest: Stretch = { forMs: 700_000, isCallerSpeaking: false, provider: 'stalls', words: null };
        call.live(rest);
        expect(call.state.phase.name).toBe('closed');
      }),
      { numRuns: 20 },
    );
  });
});
