/**
 * The reply of an assistant to written messages: the same prompt, variables, model and tools as in a conversation by voice,
 * without sound and without a line.
 */
import type { Clock, Log } from '@parley/runtime';
import type { DialogueEntry, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '@parley/speech';
import type { ConversationSettings } from './conversation-settings.ts';
import { ownerTexts, type OwnerTexts } from './owner-texts.ts';
import { ProviderChain } from './provider-chain.ts';
import { replyText } from './speaking/reply-text.ts';
import { retriedModel } from './speaking/retried-model.ts';
import { KeyCollector } from './tools/key-collector.ts';
import { closingTool } from './tools/tool-definitions.rules.ts';
import { ToolExecutor, type ToolUse } from './tools/tool-executor.ts';
import type { ToolRunner } from './tools/tool-runner.ts';

/** A message of the dialogue so far. */
export interface WrittenMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** What a written reply needs. */
export interface TextReplyOptions {
  /** Their tools may be used; tools that need a line do not belong here. */
  settings: Pick<
    ConversationSettings,
    | 'systemPrompt'
    | 'tools'
    | 'variables'
    | 'language'
    | 'temperature'
    | 'disclosureMessage'
    | 'initialMessage'
    | 'whoSpeaksFirst'
  >;
  /** Oldest first. Without any, the reply is what the assistant says first. */
  messages: readonly WrittenMessage[];
  model: LanguageModel;
  /** They replace the model when it fails, in order. */
  fallbackModels: readonly LanguageModel[];
  runner: ToolRunner;
  clock: Clock;
  log: Log;
}

/** The reply, and what the assistant did for it. */
export interface TextReply {
  text: string;
  /** The assistant ended the conversation. */
  isEnded: boolean;
  toolUses: readonly ToolUse[];
  /** What a scripted dialogue has stored. */
  notes: Readonly<Record<string, string>>;
  /** Until the first words of the model, milliseconds; null if it was not asked or said nothing. */
  firstWordsMs: number | null;
  /** Milliseconds. */
  durationMs: number;
}

/**
 * On abort, the reply ends with what there is.
 *
 * @throws SpeechError of the last model that was asked
 */
export async function replyInText(options: TextReplyOptions, signal: AbortSignal): Promise<TextReply> {
  const { settings, model } = options;
  const isOpening = options.messages.length === 0;
  // Nothing is spoken before the messages, and nothing while the reply is prepared.
  const spoken = isOpening ? { fillers: null } : { disclosureMessage: '', initialMessage: '', fillers: null };
  const texts = ownerTexts({ ...settings, ...spoken }, model.standing !== undefined);
  const opening = isOpening ? openingOf(texts, settings.whoSpeaksFirst) : null;
  if (opening?.isComplete)
    return { text: opening.text, isEnded: false, toolUses: [], notes: {}, firstWordsMs: null, durationMs: 0 };
  const reply = await askModel(options, texts, signal);
  return { ...reply, text: [opening?.text ?? '', reply.text].filter((part) => part !== '').join(' ') };
}

async function askModel(
  { settings, model, clock, log, ...options }: TextReplyOptions,
  texts: OwnerTexts,
  signal: AbortSignal,
): Promise<TextReply> {
  const startedMs = clock.monotonic();
  const nowMs = (): number => clock.monotonic() - startedMs;
  const executor = new ToolExecutor({
    tools: settings.tools,
    definitions: texts.tools,
    runner: options.runner,
    keys: new KeyCollector(nowMs),
    clock,
    nowMs,
    onTransferred: () => {},
    callSignal: signal,
    log,
  });
  const toolUses: ToolUse[] = [];
  let isEnded = false;
  let firstWordsMs: number | null = null;
  const models = new ProviderChain(model, ...options.fallbackModels);
  const written = new WrittenText(retriedModel({ models, clock, onFailed: () => {} }));
  const request = {
    systemPrompt: texts.systemPrompt,
    dialogue: options.messages.flatMap(entriesOf),
    tools: texts.tools,
    temperature: settings.temperature,
    language: settings.language,
  };
  const chunks = replyText({
    model: written,
    request,
    signal,
    onFirstToken: () => {
      firstWordsMs ??= Math.round(nowMs());
    },
    closingTool: (name) => closingTool(settings.tools, name),
    onClosing: () => {
      isEnded = true;
    },
    wordsOf: (name) => texts.toolWords.get(name) ?? '',
    useTools: async (calls) => {
      const begun = calls.map((call) => executor.begin(call));
      toolUses.push(...begun.map(({ use }) => use));
      await Promise.all(begun.map(({ finished }) => finished));
      return begun.map(({ use }) => use);
    },
  });
  // The chunks are cut for a voice.
  for await (const _chunk of chunks);
  return {
    text: written.text.trim(),
    isEnded,
    toolUses,
    notes: model.standing?.(request).notes ?? {},
    firstWordsMs,
    durationMs: Math.round(nowMs()),
  };
}

/** What is said before the first message of the customer; not complete where the model says the rest. */
function openingOf(
  { disclosure, greeting }: Pick<OwnerTexts, 'disclosure' | 'greeting'>,
  whoSpeaksFirst: ConversationSettings['whoSpeaksFirst'],
): { text: string; isComplete: boolean } {
  if (whoSpeaksFirst === 'customer') return { text: disclosure, isComplete: true };
  const text = [disclosure, greeting].filter((part) => part.trim() !== '').join(' ');
  return { text, isComplete: greeting.trim() !== '' };
}

/** A model that keeps the text that it gave, with its line breaks. */
class WrittenText {
  readonly #model: Pick<LanguageModel, 'stream'>;
  text = '';

  constructor(model: Pick<LanguageModel, 'stream'>) {
    this.#model = model;
  }

  async *stream(request: LanguageModelRequest, signal: AbortSignal): AsyncGenerator<LanguageModelEvent> {
    if (this.text !== '') this.text += '\n';
    for await (const event of this.#model.stream(request, signal)) {
      if (event.type === 'text') this.text += event.text;
      yield event;
    }
  }
}

/** As in the record of a call, so that its replay presses the keys again. */
const PRESSED = /\[pressed ([\d#*]{1,64})\]/;

/** A message of the customer may name keys between its words. */
function entriesOf({ role, content: text }: WrittenMessage): DialogueEntry[] {
  if (role === 'assistant') return [{ role, text }];
  const said = text.split(PRESSED).flatMap((part, index): DialogueEntry[] => {
    const words = part.trim();
    return words === '' ? [] : [{ role: 'customer', kind: index % 2 === 1 ? 'dtmf' : 'speech', text: words }];
  });
  return said.length > 0 ? said : [{ role: 'customer', kind: 'speech', text }];
}
