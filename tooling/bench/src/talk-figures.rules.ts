/** Calculates the figures of a round from its calls. */
import { quantile } from './spread.rules.ts';
import type { FinishedCall } from './talk-callers.ts';
import { keptWordsError, reportErrorMs } from './talk-record.rules.ts';
import type { Round } from './talk-round.ts';
import { DELAYS, END_WAIT_MS, LONG_REPLY, type Role } from './talk-script.rules.ts';
import {
  greetingOf,
  interruptionsOf,
  latenessesMs,
  turnsOf,
  unansweredOf,
  type MeasuredTurn,
} from './talk-tracks.rules.ts';

/** A turn without overhead: the wait, in which the recogniser finishes, then model and voice. */
export const FLOOR_MS = Math.max(END_WAIT_MS, DELAYS.recogniserMs) + DELAYS.modelMs + DELAYS.voiceMs;

/** The distribution of one figure. */
export interface Distribution {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  min: number;
  max: number;
}

/** The figures of a round; empty distributions have a count of 0. Milliseconds unless the name states another unit. */
export interface TalkFigures {
  calls: number;
  /** Who called: their goals must have samples. */
  roles: readonly Role[];
  /** The callers' turns, and those that the assistant did not answer. */
  turns: number;
  unanswered: number;
  /** P1: turns without a draft, minus {@link FLOOR_MS}. */
  overheadMs: Distribution;
  /** P2: the whole of such turns, with packet loss. */
  lossyTurnMs: Distribution;
  /** P2: turns with a draft. */
  aheadTurnMs: Distribution;
  draftsMade: number;
  draftsUnheard: number;
  /** P3: the error of the latency in the call record. */
  reportErrorMs: Distribution;
  /** P4. */
  bargeInMs: Distribution;
  stalePackets: number;
  keptWordsError: Distribution;
  /** P5: the longest pause of a turn with a tool in it, and the first, which a filler ends. */
  toolSilenceMs: Distribution;
  toolFillerMs: Distribution;
  /** P6, of inbound and of outbound calls. */
  greetingMs: Distribution;
  calledGreetingMs: Distribution;
  /** P7. */
  latenessMs: Distribution;
  /** P8. */
  cpuPercent: number;
  packetMicros: number;
  /** P9. */
  memoryMegabytes: number;
  longestStallMs: number;
  /** The lateness of the callers' own clock, which limits the accuracy of all figures. */
  noiseMs: Distribution;
}

/** The figures of one or several rounds of the same kind. */
export function figuresOf(rounds: readonly Round[]): TalkFigures {
  const finished = rounds.flatMap((round) => round.finished);
  const by = (...roles: Role[]): FinishedCall[] => finished.filter(({ role }) => roles.includes(role));
  const silences = (calls: FinishedCall[], understood: MeasuredTurn['understood']): number[] =>
    allTurns(calls).flatMap((turn) => (turn.understood === understood ? turn.silenceMs : []));
  const interrupted = interruptionFigures(by('interrupter'));
  const sum = (of: (call: FinishedCall) => number): number =>
    finished.reduce((total, call) => total + of(call), 0);
  return {
    calls: rounds[0]?.calls ?? 0,
    roles: [...new Set(finished.map(({ role }) => role))],
    turns: sum(({ tracks }) => tracks.spoken.length),
    unanswered: sum(({ tracks }) => unansweredOf(tracks)),
    overheadMs: distribution(silences(by('talker'), 'open').map((silenceMs) => silenceMs - FLOOR_MS)),
    lossyTurnMs: distribution(silences(by('lossy'), 'open')),
    aheadTurnMs: distribution(silences(by('talker', 'lossy'), 'whole')),
    draftsMade: sum(({ drafts }) => drafts.made),
    draftsUnheard: sum(({ drafts }) => drafts.discarded),
    reportErrorMs: distribution(by('talker', 'lossy').flatMap(reportErrors)),
    ...interrupted,
    toolSilenceMs: distribution(allTurns(by('waiter')).map(({ longestGapMs }) => longestGapMs)),
    toolFillerMs: distribution(allTurns(by('waiter')).map(({ silenceMs }) => silenceMs)),
    greetingMs: distribution(greetings(by('talker', 'lossy', 'interrupter', 'waiter'))),
    calledGreetingMs: distribution(greetings(by('called'))),
    latenessMs: distribution(
      by('talker', 'interrupter', 'waiter').flatMap(({ tracks }) => latenessesMs(tracks.heard)),
    ),
    cpuPercent: mean(rounds.map(({ cpuPercent }) => cpuPercent)),
    packetMicros: mean(rounds.map(({ packetMicros }) => packetMicros)),
    memoryMegabytes: mean(rounds.map(({ memoryMegabytes }) => memoryMegabytes)),
    longestStallMs: Math.max(...rounds.map(({ longestStallMs }) => longestStallMs)),
    noiseMs: distribution(rounds.flatMap(({ noiseMs }) => noiseMs)),
  };
}

function interruptionFigures(
  calls: readonly FinishedCall[],
): Pick<TalkFigures, 'bargeInMs' | 'stalePackets' | 'keptWordsError'> {
  const found = calls.flatMap(({ tracks, stored }) =>
    interruptionsOf(tracks, END_WAIT_MS).map((interruption) => ({ tracks, stored, interruption })),
  );
  const errors = found.flatMap(({ tracks, stored, interruption }) => {
    const error = keptWordsError(tracks, interruption, stored, LONG_REPLY);
    return error === null ? [] : Math.abs(error);
  });
  return {
    bargeInMs: distribution(found.map(({ interruption }) => interruption.stopMs)),
    stalePackets: found.reduce((total, { interruption }) => total + interruption.stalePackets, 0),
    keptWordsError: distribution(errors),
  };
}

function allTurns(calls: readonly FinishedCall[]): MeasuredTurn[] {
  return calls.flatMap(({ tracks }) => turnsOf(tracks));
}

function reportErrors({ tracks, stored }: FinishedCall): number[] {
  return turnsOf(tracks).flatMap((turn) => {
    const error = reportErrorMs(tracks, turn, stored);
    return error === null ? [] : Math.abs(error);
  });
}

function greetings(calls: readonly FinishedCall[]): number[] {
  return calls.flatMap(({ tracks }) => greetingOf(tracks) ?? []);
}

/** @param values - any number of them, none too */
export function distribution(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => quantile(sorted, share);
  const [min = Number.NaN] = sorted;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), min, max: sorted.at(-1) ?? min };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
