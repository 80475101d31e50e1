/**
 * The conversations of one call, one after the other: the assistant it began with, and those it was handed over to. Each
 * has engines and settings of its own; line, clock, transcript and memory go on. Everything was frozen when the call
 * began, so a later change of an assistant changes nothing here.
 */
import {
  createConversation,
  type Continuation,
  type Conversation,
  type ConversationEnd,
  type ConversationEvent,
  type ToolRunner,
  type ToolUse,
  type Turn,
} from '@parley/conversation';
import type { AssistantForVoice, CallForVoice } from '@parley/core';
import { withDeadline, type BackgroundWork, type Log } from '@parley/runtime';
import type { MediaPort, MediaTick } from '@parley/telephony';
import { conversationSettings } from './conversation-settings.ts';
import type { CallEngines } from './engines.ts';
import type { McpToolbox } from './tools/mcp/mcp-toolbox.ts';
import type { VoiceContext } from './voice-context.ts';

/** What they need. */
export interface CallConversationsOptions {
  voice: Pick<VoiceContext, 'core' | 'engines'>;
  call: CallForVoice;
  /** Of the first assistant. */
  engines: CallEngines;
  media: MediaPort;
  servers: Pick<McpToolbox, 'toolsOf'>;
  log: Log;
  background: BackgroundWork;
  toolsOf: (party: AssistantForVoice) => ToolRunner;
  /** Of whichever conversation there is; a hang-up is one of the call. */
  onEvent: (event: ConversationEvent) => void;
  onHandOver: (party: AssistantForVoice) => void;
  /** The next assistant cannot speak, and nobody is there any more who could. */
  onFailure: (error: unknown) => void;
}

/** All conversations together. */
export interface ConversationsEnd {
  turns: Turn[];
  drafts: ConversationEnd['drafts'];
  toolUses: readonly ToolUse[];
  /** Choices of the caller and keys that were kept, by name; later ones win. */
  notes: Record<string, string>;
}

/** From here on an assistant finds no way to another one: two that send a caller to each other must end some time. */
const MAX_HAND_OVERS = 5;

/** How long a conversation may take to end after its line, milliseconds. */
const END_LIMIT_MS = 5_000;

/** The conversation that runs now. */
interface Stage {
  conversation: Conversation;
  engines: CallEngines;
}

interface EndedConversation extends Pick<ConversationEnd, 'turns' | 'drafts' | 'toolUses'> {
  conversation: Conversation;
  notes: Readonly<Record<string, string>>;
}

/** One per call. */
export class CallConversations {
  readonly #options: CallConversationsOptions;
  readonly #ended: EndedConversation[] = [];
  #stage: Stage;
  #onTick: ((tick: MediaTick) => void) | null = null;
  #handOvers = 0;
  #handingOver: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: CallConversationsOptions) {
    this.#options = options;
    this.#stage = this.#open(options.call, options.engines);
  }

  /** The greeting is made while it rings. */
  prepare(): void {
    const { background, onFailure } = this.#options;
    const { conversation } = this.#stage;
    background.start('prepare the greeting', () => conversation.prepare(), onFailure);
  }

  /** The call was answered. */
  start(): void {
    this.#stage.conversation.start();
  }

  tick(tick: MediaTick): void {
    this.#onTick?.(tick);
  }

  dtmf(digit: string): void {
    this.#stage.conversation.dtmf(digit);
  }

  /** Choices of the caller and keys that were kept so far. */
  notes(): Record<string, string> {
    const all = [...this.#ended.map(({ notes }) => notes), this.#stage.conversation.notes()];
    return Object.fromEntries(all.flatMap((notes) => Object.entries(notes)));
  }

  /** The line has ended. Resolves when nothing runs any more, with what was said until then; never rejects. */
  async lineEnded(): Promise<ConversationsEnd> {
    this.#isOver = true;
    await this.#handingOver;
    await this.#close().catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'A conversation did not end properly'),
    );
    const ends = this.#ended;
    return {
      turns: ends.flatMap(({ turns }) => turns),
      drafts: {
        made: sum(ends.map(({ drafts }) => drafts.made)),
        discarded: sum(ends.map(({ drafts }) => drafts.discarded)),
      },
      toolUses: ends.flatMap(({ toolUses }) => toolUses),
      notes: this.notes(),
    };
  }

  /**
   * Ends the running conversation and keeps its result: its turns, if it does not end by itself in time.
   *
   * @throws DeadlineError, or the error that ended it
   */
  async #close(): Promise<Continuation> {
    const { conversation, engines } = this.#stage;
    try {
      conversation.lineEnded();
      const end = await withDeadline(this.#options.voice.core.clock, END_LIMIT_MS, conversation.finished);
      this.#keep(conversation, engines, end);
      return end.continuation;
    } catch (error) {
      const turns = conversation.transcript();
      this.#keep(conversation, engines, { turns, drafts: { made: 0, discarded: 0 }, toolUses: [] });
      throw error;
    }
  }

  /** A conversation that ends during a hand-over is closed twice and kept once. */
  #keep(
    conversation: Conversation,
    engines: CallEngines,
    { turns, drafts, toolUses }: Omit<EndedConversation, 'conversation' | 'notes'>,
  ): void {
    if (this.#ended.some((other) => other.conversation === conversation)) return;
    this.#ended.push({ conversation, turns, drafts, toolUses, notes: conversation.notes() });
    engines.release();
  }

  #open(party: AssistantForVoice, engines: CallEngines, continues?: Continuation): Stage {
    const { call, voice, log, toolsOf, servers } = this.#options;
    const conversation = createConversation({
      line: this.#line(),
      clock: voice.core.clock,
      log,
      settings: conversationSettings(call, {
        party,
        reachable: this.#handOvers < MAX_HAND_OVERS ? [call, ...call.others] : [],
        isHandedOver: continues !== undefined,
        serverTools: servers.toolsOf(party),
      }),
      continues,
      tools: toolsOf(party),
      onEvent: (event) => this.#take(event),
      ...engines,
    });
    return { conversation, engines };
  }

  /** The line's sound with its one listener slot, which the session itself occupies, handed on. */
  #line(): Parameters<typeof createConversation>[0]['line'] {
    const { media } = this.#options;
    return {
      sampleRateHz: media.sampleRateHz,
      frameSamples: media.frameSamples,
      onTick: (listener) => {
        this.#onTick = listener;
      },
      play: (turn, samples) => media.play(turn, samples),
      pausePlayout: () => media.pausePlayout(),
      resumePlayout: () => media.resumePlayout(),
      clear: () => media.clear(),
    };
  }

  #take(event: ConversationEvent): void {
    if (event.type !== 'hang-up' || event.nextAssistantId === undefined) return this.#options.onEvent(event);
    this.#handingOver = this.#handOver(event.nextAssistantId).catch((error: unknown) =>
      this.#options.onFailure(error),
    );
  }

  /** @throws SpeechError when the next one names a voice or model that cannot be had */
  async #handOver(assistantId: number): Promise<void> {
    const { call, voice, onHandOver } = this.#options;
    const party = [call, ...call.others].find(({ assistant }) => assistant.id === assistantId);
    if (!party) throw new Error('A call was handed over to an assistant that it does not know');
    const continuation = await this.#close();
    if (this.#isOver) return;
    this.#handOvers += 1;
    const engines = voice.engines.forCall({ ...party, type: call.type }, this.#options.engines.usage);
    this.#stage = this.#open(party, engines, forModelOf(party, continuation));
    onHandOver(party);
    this.#stage.conversation.start();
  }
}

/** A script counts what was said from its own beginning. */
function forModelOf({ model }: AssistantForVoice, continuation: Continuation): Continuation {
  return model.kind === 'built-in' ? { ...continuation, dialogue: [] } : continuation;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
