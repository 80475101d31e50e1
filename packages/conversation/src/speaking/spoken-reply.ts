/**
 * One answer of a model that speaks by itself, with the tools that it uses on the way. Knows the same bounds of a turn as
 * `reply-text.ts`.
 */
import type { DialogueEntry, RealtimePiece } from '@parley/speech';
import {
  MAX_CALLS,
  MAX_CHARACTERS,
  MAX_STEPS,
  noteCall,
  ownWords,
  type ReplyOrder,
  type ReplyStep,
  type ToolCall,
} from './reply-text.ts';
import { untilAborted } from './until-aborted.ts';
import type { ToolUse } from '../tools/tool-executor.ts';

/** Longer sound is no answer, milliseconds. */
const MAX_SOUND_MS = 300_000;

/** What of an answer is heard. */
export type SpokenPiece = Extract<RealtimePiece, { type: 'words' | 'sound' }>;

/** A model that generates speech itself, as the voice uses it. */
export interface SpeakingModel {
  /** Tells the model about something that it cannot have heard. */
  note(entry: DialogueEntry): void;
  /** @param systemPrompt - for this reply alone; null for the usual one */
  reply(systemPrompt: string | null, signal: AbortSignal): AsyncIterable<RealtimePiece>;
  /** Registers tool calls whose results the model gets with its next reply, even if this turn is cancelled. */
  addPendingResults(calls: readonly ToolCall[], uses: readonly ToolUse[]): void;
}

/** One turn to be spoken. */
export interface SpokenReplyOrder extends Pick<
  ReplyOrder,
  'closingTool' | 'onClosing' | 'wordsOf' | 'useTools'
> {
  /** Asks the model to go on from where the dialogue stands. */
  reply: () => AsyncIterable<RealtimePiece>;
  /** Says words of a tool, which the model does not say itself. */
  readOut: (words: string) => AsyncIterable<SpokenPiece>;
  sampleRateHz: number;
  signal: AbortSignal;
  /** The model's first words or sound. */
  onFirstToken: () => void;
  /** What has become of the calls, in their order; those that were not begun are missing. */
  onUsed: (calls: readonly ToolCall[], uses: readonly ToolUse[]) => void;
}

/** @throws SpeechError of the model; what came before it was given */
export async function* spokenReply(order: SpokenReplyOrder): AsyncGenerator<SpokenPiece, void> {
  const left = { characters: MAX_CHARACTERS, samples: (MAX_SOUND_MS * order.sampleRateHz) / 1000 };
  for (let number = 1; number <= MAX_STEPS; number++) {
    const step = yield* spokenStep(order, left);
    const words = ownWords(order, step);
    if (words !== '') yield* order.readOut(words);
    if (step.isLast || number === MAX_STEPS) return;
    order.onUsed(step.calls, await order.useTools(step.calls));
    if (order.signal.aborted) return;
  }
}

async function* spokenStep(
  order: SpokenReplyOrder,
  left: { characters: number; samples: number },
): AsyncGenerator<SpokenPiece, ReplyStep> {
  const step: ReplyStep = { text: '', calls: [], isLast: true, closedBy: null };
  for await (const piece of untilAborted(order.reply(), order.signal)) {
    if (piece.type === 'tool-call') noteCall(order, step, piece);
    if (step.calls.length >= MAX_CALLS) break;
    if (piece.type !== 'words' && piece.type !== 'sound') continue;
    order.onFirstToken();
    if (piece.type === 'words') {
      left.characters -= piece.text.length;
      step.text += piece.text;
    } else left.samples -= piece.samples.length;
    yield piece;
    if (left.characters > 0 && left.samples > 0) continue;
    step.isLast = true;
    break;
  }
  return step;
}
