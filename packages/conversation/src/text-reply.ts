/**
 * The reply of an assistant to written messages: the same prompt, variables, model and tools as in a conversation by voice,
 * without sound and without a line.
 */
import type { Clock, Log } from '@parley/runtime';
import type { DialogueEntry, LanguageModel, LanguageModelEvent, LanguageModelRequest } from '@parley/speech';
import type { ConversationSettings } from './conversation-settings.ts';
import { ownerTexts } from './owner-texts.ts';
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
  settings: Pick<ConversationSettings, 'systemPrompt' | 'tools' | 'variables' | 'language' | 'temperature'>;
  /** Oldest first. */
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
}

/**
 * On abort, the reply ends with what there is.
 *
 * @throws SpeechError of the last model that was asked
 */
export async function replyInText(options: TextReplyOptions, signal: AbortSignal): Promise<TextReply> {
  const { settings, model, clock, log } = options;
  // Nothing is spoken before the messages, and nothing while the reply is prepared.
  const spoken = { disclosureMessage: '', initialMessage: '', fillers: null };
  const texts = ownerTexts({ ...settings, ...spoken }, model.standing !== undefined);
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
  const models = new ProviderChain(model, ...options.fallbackModels);
  const written = new WrittenText(retriedModel({ models, clock, onFailed: () => {} }));
  const chunks = replyText({
    model: written,
    request: {
      systemPrompt: texts.systemPrompt,
      dialogue: options.messages.map(entryOf),
      tools: texts.tools,
      temperature: settings.temperature,
      language: settings.language,
    },
    signal,
    onFirstToken: () => {},
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
  return { text: written.text.trim(), isEnded, toolUses };
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

function entryOf({ role, content: text }: WrittenMessage): DialogueEntry {
  return role === 'user' ? { role: 'customer', kind: 'speech', text } : { role: 'assistant', text };
}
