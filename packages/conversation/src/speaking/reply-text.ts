/**
 * Requests a reply from the model and returns it in chunks that can be spoken. Limits the length and the number of steps of
 * a turn, so that a model that never ends or keeps calling tools cannot block a call.
 */
import type { DialogueEntry, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '@parley/speech';
import { toolEntries } from '../record/call-record.ts';
import type { ClosingTool } from '../tools/tool-definitions.rules.ts';
import type { ToolUse } from '../tools/tool-executor.ts';
import { addText, EMPTY_CHUNKER, endText, type ChunkerState } from './sentence-chunks.rules.ts';
import { untilAborted } from './until-aborted.ts';

/** Requests to the model within one turn. */
export const MAX_STEPS = 5;
/** About five minutes of speech; the rest of a longer reply is ignored. */
export const MAX_CHARACTERS = 4000;
/** Tool calls within one request; further ones are ignored. */
export const MAX_CALLS = 16;

/** What a reply needs. */
export interface ReplyOrder {
  model: Pick<LanguageModel, 'stream'>;
  request: LanguageModelRequest;
  signal: AbortSignal;
  /** The model's first text. */
  onFirstToken: () => void;
  /** What a tool of that name ends, if the assistant has it; null for tools that end nothing. */
  closingTool: (name: string) => ClosingTool | null;
  /** The model called such a tool. */
  onClosing: (closing: ClosingTool) => void;
  /** What is spoken when that tool is used; empty for nothing. */
  wordsOf: (name: string) => string;
  /** Runs all other tools that the model calls, in parallel; refuses tools that the assistant does not have. */
  useTools: (calls: readonly ToolCall[]) => Promise<readonly ToolUse[]>;
}

/** A tool call of a model. */
export type ToolCall = Extract<LanguageModelEvent, { type: 'tool-call' }>;

/** The progress of one request to the model. */
export interface ReplyStep {
  text: string;
  calls: ToolCall[];
  /** Nothing follows this step. */
  isLast: boolean;
  /** The name of the tool that ends the conversation; null while it goes on. */
  closedBy: string | null;
}

/**
 * The chunks of the model's reply in order.
 *
 * @throws SpeechError of the model, after the chunks that came before it
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
    const uses = await order.useTools(said.calls);
    if (order.signal.aborted) return;
    dialogue.push(...toolEntries(`${said.text} ${words}`.trim(), uses));
    yield* wordsAfterUse(uses);
  }
}

/** The texts of the tools that are used. For a transfer to another assistant, they are spoken only if the model says nothing. */
export function ownWords(order: Pick<ReplyOrder, 'wordsOf'>, { text, calls, closedBy }: ReplyStep): string {
  if (closedBy !== null) return text.trim() === '' ? order.wordsOf(closedBy) : '';
  const [first] = calls.map(({ name }) => order.wordsOf(name)).filter((words) => words !== '');
  return first ?? '';
}

/** What tools want the caller to hear after their use. Their results tell the model about it. */
export function wordsAfterUse(uses: readonly ToolUse[]): string[] {
  return uses.map(({ words }) => words).filter((words) => words !== '');
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

/** A turn that ends the conversation has no further step, and its other tool calls are not run. */
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
  step.closedBy = call.name;
  order.onClosing(closing);
}
