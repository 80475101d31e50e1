/** Times within a turn: of a word, which is estimated, and of the stages before an answer, which were measured. */
import type { CallTurn } from '@parley/contracts';

/**
 * Where a word is spoken. Turns have no times of their words, so the time is shared out by characters; within a turn of
 * some seconds the estimate is a few hundred milliseconds off.
 *
 * @param offset - of the word, in characters from the beginning of the text
 * @returns milliseconds from the beginning of the recording
 */
export function wordTimeMs(turn: Pick<CallTurn, 'text' | 'start_ms' | 'end_ms'>, offset: number): number {
  const { text, start_ms: startMs, end_ms: endMs } = turn;
  const beginning = text.slice(0, Math.max(0, offset)).lastIndexOf(' ') + 1;
  const share = text.length === 0 ? 0 : beginning / text.length;
  return Math.round(startMs + share * Math.max(0, endMs - startMs));
}

/** A stage of an answer, from the end of the stage before it. */
export interface StageSpan {
  stage: string;
  fromMs: number;
  untilMs: number;
}

/** The stages in time, one after the other; the first begins with the end of the customer's speech. JSON does not keep their order. */
export function stageSpans(latency: CallTurn['latency']): StageSpan[] {
  const ends = Object.entries(latency).toSorted(([, one], [, other]) => one - other);
  return ends.map(([stage, untilMs], place) => ({
    stage,
    fromMs: Math.max(0, ends[place - 1]?.[1] ?? 0),
    untilMs: Math.max(0, untilMs),
  }));
}

/** In the order in which they end; stages that this page does not know follow. */
const ORDER = ['final', 'turn_end', 'first_token', 'first_audio', 'first_packet', 'silence'];

/** The stages of a call, each once, in the order in which they end. */
export function stagesOf(turns: readonly Pick<CallTurn, 'latency'>[]): string[] {
  const stages = new Set(turns.flatMap(({ latency }) => Object.keys(latency)));
  const known = ORDER.filter((stage) => stages.has(stage));
  return [...known, ...[...stages].filter((stage) => !ORDER.includes(stage)).toSorted()];
}

/** The whole wait before an answer; null: nothing was measured. */
export function waitMs({ latency }: Pick<CallTurn, 'latency'>): number | null {
  const ends = Object.values(latency);
  return ends.length === 0 ? null : Math.max(0, ...ends);
}

/** The scale of all bars of a call: its longest wait, at least a second, so that quick answers look quick. */
export function longestWaitMs(turns: readonly Pick<CallTurn, 'latency'>[]): number {
  return Math.max(1000, ...turns.flatMap(({ latency }) => Object.values(latency)));
}
