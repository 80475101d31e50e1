/**
 * One reply of a speech-to-speech model, with its tool calls. The limits of a turn are the same as in `reply-text.ts`.
 */
import type { DialogueEntry, RealtimePiece } from '@parley/speech';
import {
  MAX_CALLS,
  MAX_CHARACTERS,
  MAX_STEPS,
  noteCall,
  ownWords,
  wordsAfterUse,
  type ReplyOrder,
  type ReplyStep,
  type ToolCall,
} from './reply-text.ts';
import { untilAborted } from './until-aborted.ts';
import type { ToolUse } from '../tools/tool-executor.ts';

/** The longest audio of a reply, milliseconds. */
const MAX_SOUND_MS = 300_000;

/** The audible parts of a reply. */
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

/** What a spoken reply needs. */
export interface SpokenReplyOrder extends Pick<
  ReplyOrder,
  'closingTool' | 'onClosing' | 'wordsOf' | 'useTools'
> {
  /** Asks the model to continue the dialogue. */
  reply: () => AsyncIterable<RealtimePiece>;
  /** Speaks the text of a tool, which the model does not speak itself. */
  readOut: (words: string) => AsyncIterable<SpokenPiece>;
  sampleRateHz: number;
  signal: AbortSignal;
  /** The model's first words or audio. */
  onFirstToken: () => void;
  /** The results of the calls, in their order; calls that were not started are missing. */
  onUsed: (calls: readonly ToolCall[], uses: readonly ToolUse[]) => void;
}

/** @throws SpeechError of the model, after the pieces that came before it */
export async function* spokenReply(order: SpokenReplyOrder): AsyncGenerator<SpokenPiece, void> {
  const left = { characters: MAX_CHARACTERS, samples: (MAX_SOUND_MS * order.sampleRateHz) / 1000 };
  for (let number = 1; number <= MAX_STEPS; number++) {
    const step = yield* spokenStep(order, left);
    const words = ownWords(order, step);
    if (words !== '') yield* order.readOut(words);
    if (step.isLast || number === MAX_STEPS) return;
    const uses = await order.useTools(step.calls);
    order.onUsed(step.calls, uses);
    if (order.signal.aborted) return;
    for (const said of wordsAfterUse(uses)) yield* order.readOut(said);
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
