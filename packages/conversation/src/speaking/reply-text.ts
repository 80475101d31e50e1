/**
 * Asks the model and gives its answer piece by piece, ready to be spoken. Knows the bounds of a turn, so that a model
 * that never ends or calls tools for ever cannot hold a call.
 */
import type { DialogueEntry, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '@parley/speech';
import { toolEntries } from '../call-record.ts';
import type { ClosingTool } from '../tools/tool-definitions.rules.ts';
import type { ToolUse } from '../tools/tool-executor.ts';
import { addText, EMPTY_CHUNKER, endText, type ChunkerState } from './sentence-chunks.rules.ts';
import { untilAborted } from './until-aborted.ts';

/** Requests to the model within one turn. */
export const MAX_STEPS = 5;
/** About five minutes of speech; what the model says beyond it is not read. */
export const MAX_CHARACTERS = 4000;
/** Calls of tools within one request; what the model calls beyond them is not read. */
export const MAX_CALLS = 16;

/** One turn to be worded. */
export interface ReplyOrder {
  model: LanguageModel;
  request: LanguageModelRequest;
  signal: AbortSignal;
  /** The model's first text. */
  onFirstToken: () => void;
  /** What a tool of that name ends, if the assistant has it; null for nothing. */
  closingTool: (name: string) => ClosingTool | null;
  /** The model called such a tool. */
  onClosing: (closing: ClosingTool) => void;
  /** What is said to the caller when that tool is used; empty for nothing. */
  wordsOf: (name: string) => string;
  /** Uses all other tools that the model calls, at once; refuses what the assistant was not given. */
  useTools: (calls: readonly ToolCall[]) => Promise<readonly ToolUse[]>;
}

/** What a model wants done. */
export type ToolCall = Extract<LanguageModelEvent, { type: 'tool-call' }>;

/** One request to the model, as far as it has come. */
export interface ReplyStep {
  text: string;
  calls: ToolCall[];
  /** Nothing follows this step. */
  isLast: boolean;
  /** The name of the tool that ends the conversation; null while it goes on. */
  closedBy: string | null;
}

/**
 * The pieces of the model's answer in order.
 *
 * @throws SpeechError of the model; what came before it was given
 */
export async function* replyText(order: ReplyOrder): AsyncGenerator<string, void> {
  const dialogue: DialogueEntry[] = [...order.request.dialogue];
  let charactersLeft = MAX_CHARACTERS;
  for (let step = 1; step <= MAX_STEPS; step++) {
    const said = yield* replyStep(order, dialogue, charactersLeft);
    charactersLeft -= said.text.length;
    const words = ownWords(order, said);
    if (words !== '') yield words;
    if (said.isLast || charactersLeft <= 0 || step === MAX_STEPS) return;
    dialogue.push(...toolEntries(`${said.text} ${words}`.trim(), await order.useTools(said.calls)));
    if (order.signal.aborted) return;
  }
}

/** Those of the tools that are used; at a hand-over the model's own words will do. */
export function ownWords(order: Pick<ReplyOrder, 'wordsOf'>, { text, calls, closedBy }: ReplyStep): string {
  if (closedBy !== null) return text.trim() === '' ? order.wordsOf(closedBy) : '';
  const [first] = calls.map(({ name }) => order.wordsOf(name)).filter((words) => words !== '');
  return first ?? '';
}

async function* replyStep(
  order: ReplyOrder,
  dialogue: readonly DialogueEntry[],
  maxCharacters: number,
): AsyncGenerator<string, ReplyStep> {
  const step: ReplyStep = { text: '', calls: [], isLast: true, closedBy: null };
  let chunker: ChunkerState = EMPTY_CHUNKER;
  const stream = order.model.stream({ ...order.request, dialogue }, order.signal);
  for await (const event of untilAborted(stream, order.signal)) {
    if (event.type === 'tool-call') noteCall(order, step, event);
    if (step.calls.length >= MAX_CALLS) break;
    if (event.type !== 'text') continue;
    if (step.text === '') order.onFirstToken();
    const text = event.text.slice(0, maxCharacters - step.text.length);
    const added = addText(chunker, text);
    chunker = added.state;
    step.text += text;
    yield* added.chunks;
    if (step.text.length >= maxCharacters) break;
  }
  yield* endText(chunker).chunks;
  return step;
}

/** A turn that ends the conversation has no further step, and nothing else that was called in it is done. */
export function noteCall(
  order: Pick<ReplyOrder, 'closingTool' | 'onClosing'>,
  step: ReplyStep,
  call: ToolCall,
): void {
  if (step.closedBy !== null) return;
  const closing = order.closingTool(call.name);
  step.isLast = closing !== null;
  if (closing === null) {
    step.calls.push(call);
    return;
  }
  step.calls.length = 0;
  step.closedBy = call.name;
  order.onClosing(closing);
}
