/**
 * Asks the model and gives its answer piece by piece, ready to be spoken. Knows the bounds of a turn, so that a model
 * that never ends or calls tools for ever cannot hold a call.
 */
import type { DialogueEntry, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '@parley/speech';
import { addText, EMPTY_CHUNKER, endText, type ChunkerState } from './sentence-chunks.rules.ts';
import { untilAborted } from './until-aborted.ts';

/** Requests to the model within one turn. */
const MAX_STEPS = 5;
/** About five minutes of speech; what the model says beyond it is not read. */
const MAX_CHARACTERS = 4000;
const NO_SUCH_TOOL = 'There is no such tool.';

/** One turn to be worded. */
export interface ReplyOrder {
  model: LanguageModel;
  request: LanguageModelRequest;
  signal: AbortSignal;
  /** The model's first text. */
  onFirstToken: () => void;
  /** The model called `end_call`, and the assistant has that tool. */
  onEndCall: () => void;
  /** The model called what it was not given. */
  onUnknownTool: (name: string) => void;
}

type ToolCall = Extract<LanguageModelEvent, { type: 'tool-call' }>;

interface ReplyStep {
  text: string;
  unknownCalls: ToolCall[];
  isLast: boolean;
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
    if (said.isLast || charactersLeft <= 0) return;
    dialogue.push(...refusals(said));
  }
}

async function* replyStep(
  order: ReplyOrder,
  dialogue: readonly DialogueEntry[],
  maxCharacters: number,
): AsyncGenerator<string, ReplyStep> {
  const step: ReplyStep = { text: '', unknownCalls: [], isLast: true };
  let chunker: ChunkerState = EMPTY_CHUNKER;
  const stream = order.model.stream({ ...order.request, dialogue }, order.signal);
  for await (const event of untilAborted(stream, order.signal)) {
    if (event.type === 'tool-call') noteCall(order, step, event);
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

/** A turn that ends the call has no further step, whatever else was called in it. */
function noteCall(order: ReplyOrder, step: ReplyStep, call: ToolCall): void {
  const isKnown = order.request.tools.some((tool) => tool.name === call.name);
  if (isKnown && call.name === 'end_call') {
    step.unknownCalls.length = 0;
    step.isLast = true;
    order.onEndCall();
    return;
  }
  order.onUnknownTool(call.name);
  step.unknownCalls.push(call);
  step.isLast = false;
}

/** What the model is told about tools it does not have, so that it goes on without them. */
function refusals({ text, unknownCalls }: ReplyStep): DialogueEntry[] {
  const toolCalls = unknownCalls.map(({ id, name, arguments: given }) => ({
    id,
    name,
    arguments: given,
  }));
  return [
    { role: 'assistant', text, toolCalls },
    ...unknownCalls.map(({ id, name }): DialogueEntry => ({
      role: 'tool',
      toolCallId: id,
      name,
      result: NO_SUCH_TOOL,
    })),
  ];
}
