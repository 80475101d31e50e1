/** Written replies of assistants, requested by the api. They belong to no call; nothing is stored. */
import { replyInText, type TextReply } from '@parley/conversation';
import { loadAssistantForText, type CoreContext, type ProviderAccess } from '@parley/core';
import { publicOnly, type GuardedClient } from '@parley/runtime/guarded-http';
import type { LanguageModel } from '@parley/speech';
import type { Replies, WrittenQuestion } from '../voice-context.ts';
import { systemPromptOf } from '../conversation-settings.ts';
import { createToolRunner, toolsForConversation } from '../tools/call-tools.ts';

/** Options of the replies. */
export interface WrittenRepliesOptions {
  core: CoreContext;
  /** @throws SpeechError when the provider does not offer the model */
  openModel: (model: ProviderAccess) => LanguageModel;
  /** For HTTP tools. */
  http: Pick<GuardedClient, 'send'>;
}

/** Concurrent replies of one process, so that they leave processor time for its calls. */
const MAX_RUNNING = 16;

/** The replies of one process. */
export class WrittenReplies implements Replies {
  readonly #options: WrittenRepliesOptions;
  #running = 0;

  constructor(options: WrittenRepliesOptions) {
    this.#options = options;
  }

  get hasRoom(): boolean {
    return this.#running < MAX_RUNNING;
  }

  async reply(question: WrittenQuestion, signal: AbortSignal): Promise<TextReply> {
    this.#running += 1;
    try {
      return await this.#reply(question, signal);
    } finally {
      this.#running -= 1;
    }
  }

  async #reply(question: WrittenQuestion, signal: AbortSignal): Promise<TextReply> {
    const { core, openModel, http } = this.#options;
    const speaker = await loadAssistantForText(core, question);
    const { clock, log } = core;
    const tools = speaker.tools.filter(
      ({ type }) => type === 'end_call' || (question.runsTools && type === 'http_request'),
    );
    const runner = createToolRunner({
      http: speaker.isOperators ? http : publicOnly(http),
      clock,
      tools,
      servers: async () => null,
      variables: () => speaker.variables,
      sendKeys: null,
      transfer: null,
    });
    const startedMs = clock.monotonic();
    const reply = await replyInText(
      {
        settings: {
          systemPrompt: systemPromptOf(speaker),
          tools: toolsForConversation(tools, []),
          variables: speaker.variables,
          language: speaker.language.iso2,
          temperature: speaker.assistant.llmTemperature,
        },
        messages: question.messages,
        model: openModel(speaker.model),
        fallbackModels: speaker.fallbackModels.map(openModel),
        runner,
        clock,
        log,
      },
      signal,
    );
    const durationMs = Math.round(clock.monotonic() - startedMs);
    log.info({ assistantId: question.assistantId, durationMs }, 'An assistant replied in writing');
    return reply;
  }
}
