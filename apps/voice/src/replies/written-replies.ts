/** Written replies of assistants, requested by the api. They belong to no call; nothing is stored. Their cost is returned. */
import { replyInText } from '@parley/conversation';
import {
  costOfReply,
  loadAssistantForText,
  searchHybrid,
  type CallTool,
  type CoreContext,
  type Embedder,
  type ProviderAccess,
} from '@parley/core';
import { publicOnly, type GuardedClient } from '@parley/runtime/guarded-http';
import type { LanguageModel } from '@parley/speech';
import type { ChargedReply, Replies, WrittenQuestion } from '../voice-context.ts';
import { systemPromptOf } from '../conversation-settings.ts';
import { CallUsage } from '../usage/call-usage.ts';
import { createToolRunner, toolsForConversation } from '../tools/call-tools.ts';

/** Options of the replies. */
export interface WrittenRepliesOptions {
  core: CoreContext;
  /** @throws SpeechError when the provider does not offer the model */
  openModel: (model: ProviderAccess) => LanguageModel;
  /** For HTTP tools. */
  http: Pick<GuardedClient, 'send'>;
  embedder: Embedder;
}

/** Tools without an effect outside of the conversation. */
const ALWAYS_RUN: ReadonlySet<CallTool['type']> = new Set(['end_call', 'search_knowledge_base']);
/** Concurrent replies of one process, so that they leave processor time for its calls. */
const MAX_RUNNING = 16;
/** Further replies wait for a slot; the api gives up after its time limit. */
const MAX_WAITING = 128;

/** The replies of one process. */
export class WrittenReplies implements Replies {
  readonly #options: WrittenRepliesOptions;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: WrittenRepliesOptions) {
    this.#options = options;
  }

  get hasFreeSlot(): boolean {
    return this.#waiting.length < MAX_WAITING;
  }

  reply(question: WrittenQuestion, signal: AbortSignal): Promise<ChargedReply> {
    return this.inTurn(() => this.#reply(question, signal));
  }

  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= MAX_RUNNING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The slot passes to the next one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #reply(question: WrittenQuestion, signal: AbortSignal): Promise<ChargedReply> {
    const { core, openModel, http, embedder } = this.#options;
    const speaker = await loadAssistantForText(core, question);
    const { clock, log } = core;
    const usage = new CallUsage();
    const metered = (access: ProviderAccess): LanguageModel => meteredBy(usage, access, openModel(access));
    const tools = speaker.tools.filter(
      ({ type }) => ALWAYS_RUN.has(type) || (question.runsTools && type === 'http_request'),
    );
    const runner = createToolRunner({
      http: speaker.isOperators ? http : publicOnly(http),
      clock,
      tools,
      servers: async () => null,
      searchKnowledge: async (asked) => {
        const answer = await searchHybrid(core, { ...asked, userId: question.userId }, embedder);
        if (answer.used) usage.add(answer.used);
        return answer;
      },
      variables: () => speaker.variables,
      sendKeys: null,
      transfer: null,
    });
    const reply = await replyInText(
      {
        settings: {
          systemPrompt: systemPromptOf(speaker),
          disclosureMessage: speaker.assistant.disclosureMessage ?? '',
          initialMessage: speaker.assistant.initialMessage,
          whoSpeaksFirst: speaker.assistant.isCustomerFirst ? 'customer' : 'assistant',
          tools: toolsForConversation(tools, []),
          variables: speaker.variables,
          language: speaker.language.iso2,
          temperature: speaker.assistant.llmTemperature,
        },
        messages: question.messages,
        model: metered(speaker.model),
        fallbackModels: speaker.fallbackModels.map(metered),
        runner,
        clock,
        log,
      },
      signal,
    );
    log.info(
      { assistantId: question.assistantId, durationMs: reply.durationMs },
      'An assistant replied in writing',
    );
    return { ...reply, cost: await costOfReply(core, usage.used()) };
  }
}

/** The built-in model follows a script and uses no tokens. */
function meteredBy(usage: CallUsage, access: ProviderAccess, model: LanguageModel): LanguageModel {
  const { kind, name, providerId, id: llmModelId } = access;
  return kind === 'built-in' ? model : usage.model(model, { name, providerId, llmModelId });
}
