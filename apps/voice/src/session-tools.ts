/**
 * What the assistants of one call can do besides talking, and transfers that an operator asks for. A browser call has no keypad
 * and no line over which it could be transferred.
 */
import type { ToolAnswer, ToolRunner } from '@parley/conversation';
import {
  authorizeTransfer,
  searchHybrid,
  type AssistantForVoice,
  type CallForVoice,
  type KnowledgeAnswer,
  type KnowledgeQuestion,
  type VoiceFence,
} from '@parley/core';
import type { BackgroundWork, Log } from '@parley/runtime';
import { publicOnly } from '@parley/runtime/guarded-http';
import type { CallLeg } from '@parley/telephony';
import type { CallBridge } from './bridge/call-bridge.ts';
import type { CallEngines } from './engines.ts';
import { createToolRunner } from './tools/call-tools.ts';
import type { McpToolbox } from './tools/mcp/mcp-toolbox.ts';
import { CallTransfer, type AskForTransfer, type TransferWish } from './tools/transfer-call.ts';
import type { TransferTool } from './tools/transfer-description.rules.ts';
import type { VoiceContext } from './voice-context.ts';
import { askPerson } from './warm-transfer/ask-person.ts';

/** What the tools of a call use. */
export interface SessionToolsOptions {
  voice: VoiceContext;
  call: CallForVoice;
  leg: CallLeg;
  engines: CallEngines;
  servers: McpToolbox;
  fence: VoiceFence;
  bridge: CallBridge;
  background: BackgroundWork;
  log: Log;
  /** What tools have collected so far. */
  notes: () => Record<string, unknown>;
  /** The caller waits for a person who is asked, or does not wait any more (null). */
  hold: (sound: 'music' | 'silence' | null) => void;
  /** A transfer has begun or is over. */
  onTransfer: () => void;
}

/** One instance per call. */
export class SessionTools {
  readonly #options: SessionToolsOptions;
  readonly #transfer: CallTransfer;

  constructor(options: SessionToolsOptions) {
    const { voice, call, leg, bridge, fence, hold, onTransfer: onChange } = options;
    const { callId } = call;
    this.#options = options;
    this.#transfer = new CallTransfer({
      authorize: (phoneNumber) => authorizeTransfer(voice.core, { callId, phoneNumber, fence }),
      leg,
      bridge,
      hold,
      onChange,
    });
  }

  /** True while the caller is being transferred. */
  get isTransferring(): boolean {
    return this.#transfer.isBusy;
  }

  /** The tools of one of the assistants. */
  runnerOf(speaker: AssistantForVoice): ToolRunner {
    const { voice, call, leg, servers } = this.#options;
    const isTelephone = call.type !== 'web';
    return createToolRunner({
      tools: speaker.tools,
      servers: async (request, signal) => servers.run(speaker, request, signal),
      variables: () => this.#variablesOf(speaker),
      sendKeys: isTelephone ? async (keys) => leg.sendDtmf(keys) : null,
      transfer: isTelephone ? async (wish, signal) => this.#run(speaker, wish, signal) : null,
      http: call.isOperators ? voice.http : publicOnly(voice.http),
      searchKnowledge: async (question) => this.#search(question),
      clock: voice.core.clock,
    });
  }

  /** The names of the destinations to which an operator may transfer the caller. */
  destinations(): string[] {
    return this.#transferTools().flatMap(({ destinations }) => destinations.map(({ name }) => name));
  }

  /**
   * A transfer by an operator, under the same checks as one by an assistant.
   *
   * @param destination - one of {@link destinations}
   * @returns null when the caller was transferred, otherwise why not
   * @throws the error of core
   */
  transferByHand(destination: string, signal: AbortSignal): Promise<string | null> {
    return this.#transfer.byHand(this.#transferTools(), destination, signal);
  }

  #transferTools(): TransferTool[] {
    const { call } = this.#options;
    const tools = call.type === 'web' ? [] : [call, ...call.others].flatMap((speaker) => speaker.tools);
    return tools.filter((tool) => tool.type === 'call_transfer');
  }

  async #run(
    speaker: AssistantForVoice,
    wish: Omit<TransferWish, 'ask' | 'variables'>,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const { voice, call, engines, log, background } = this.#options;
    const asking = { voice, call, speaker, usage: engines.usage, log, background };
    const ask: AskForTransfer = (person, question) => askPerson({ ...asking, ...question, person });
    return this.#transfer.run({ ...wish, variables: this.#variablesOf(speaker), ask }, signal);
  }

  async #search(question: Omit<KnowledgeQuestion, 'userId'>): Promise<KnowledgeAnswer> {
    const { voice, call, engines } = this.#options;
    const answer = await searchHybrid(voice.core, { ...question, userId: call.userId }, voice.embedder);
    if (answer.used) engines.usage.add(answer.used);
    return answer;
  }

  #variablesOf(speaker: AssistantForVoice): Record<string, unknown> {
    return { ...speaker.variables, ...this.#options.notes() };
  }
}
