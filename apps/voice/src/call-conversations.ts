/**
 * The conversations of one call, in sequence: that of its first assistant, and those of the assistants it was handed over
 * to. Where the call is streamed, the agent talks first, and the first assistant only if the agent fails. Each has its own engines and settings; leg, clock, transcript and dialogue continue. The configuration was frozen
 * when the call was placed, so later changes of an assistant have no effect.
 */
import {
  createConversation,
  joinQuality,
  type CallQuality,
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
import { CallAgent } from './stream/call-agent.ts';
import type { VoiceContext } from './voice-context.ts';

/** Options of the conversations of one call. */
export interface CallConversationsOptions {
  voice: Pick<VoiceContext, 'core' | 'engines' | 'agents'>;
  call: CallForVoice;
  /** Engines of the first assistant. */
  engines: CallEngines;
  media: MediaPort;
  servers: Pick<McpToolbox, 'toolsOf'>;
  log: Log;
  background: BackgroundWork;
  toolsOf: (speaker: AssistantForVoice) => ToolRunner;
  /** Receives the events of the current conversation; a hang-up event ends the call. */
  onEvent: (event: ConversationEvent) => void;
  onHandOver: (speaker: AssistantForVoice) => void;
  /** Writes a line of the call's timeline. */
  note: (type: string, detail: Record<string, unknown>) => void;
  /** Where the conversation of a lost process stopped. */
  resumed?: ResumedConversation | undefined;
  /** Called when a hand-over fails: the previous assistant has ended and the next one cannot start. */
  onFailure: (error: unknown) => void;
}

/** What another process needs to go on with the conversation. JSON-safe. */
export interface StoredConversation extends Omit<Continuation, 'atMs'> {
  /** The assistant that speaks. */
  speakerId: number;
  handOvers: number;
  /** The disclosure message of this assistant was spoken to its end, or there is none. */
  wasDisclosed: boolean;
}

/** The same at a time of the call, milliseconds since the answer; and what was collected so far. */
export interface ResumedConversation extends StoredConversation {
  atMs: number;
  variables: Readonly<Record<string, unknown>>;
}

/** The combined result of all conversations. */
export interface ConversationsEnd {
  turns: Turn[];
  drafts: ConversationEnd['drafts'];
  quality: CallQuality;
  toolUses: readonly ToolUse[];
  /** Choices of the caller and collected keys, by name; later values win. */
  notes: Record<string, unknown>;
  /** The caller has spoken to an agent, whose words are in no turn. */
  hasTalkedToAgent: boolean;
}

/** After this many hand-overs no further one is offered, so that two assistants cannot pass a caller back and forth forever. */
const MAX_HAND_OVERS = 5;

/** How long a conversation may take to end after its line, milliseconds. */
const END_LIMIT_MS = 5_000;

/** The conversation that runs now. */
interface Stage {
  conversation: Conversation;
  engines: CallEngines;
}

interface EndedConversation extends Pick<ConversationEnd, 'turns' | 'drafts' | 'quality' | 'toolUses'> {
  conversation: Conversation;
  notes: Readonly<Record<string, string>>;
}

/** One instance per call. */
export class CallConversations {
  readonly #options: CallConversationsOptions;
  readonly #ended: EndedConversation[] = [];
  #stage: Stage;
  #speaker: AssistantForVoice;
  #wasDisclosed: boolean;
  #onTick: ((tick: MediaTick) => void) | null = null;
  /** Null where the call is not streamed. */
  readonly #agent: CallAgent | null;
  #isAgentTalking = false;
  #handOvers = 0;
  #handingOver: Promise<void> = Promise.resolve();
  #isOver = false;
  #isHeld = false;
  #isAttended = false;
  #isAnnouncementDue = false;

  constructor(options: CallConversationsOptions) {
    const { call, engines, resumed } = options;
    this.#options = options;
    this.#handOvers = resumed?.handOvers ?? 0;
    this.#speaker = call.others.find(({ assistant }) => assistant.id === resumed?.speakerId) ?? call;
    this.#wasDisclosed = resumed?.wasDisclosed ?? false;
    this.#stage = this.#open(this.#speaker, engines, resumed, this.#speaker !== call);
    this.#agent = resumed ? null : this.#createAgent();
    this.#isAgentTalking = this.#agent !== null;
  }

  #createAgent(): CallAgent | null {
    const { call } = this.#options;
    if (call.answering?.type !== 'stream') return null;
    return new CallAgent({
      ...this.#options,
      target: call.answering,
      onHangUp: (event) => this.#options.onEvent(event),
      onGivenBack: () => {
        this.#handingOver = this.#takeFromAgent().catch((error: unknown) => this.#options.onFailure(error));
      },
    });
  }

  /** True while an agent talks in place of the assistants, or is about to. */
  get isStreamed(): boolean {
    return this.#isAgentTalking;
  }

  /** Synthesises the greeting while the phone rings. */
  prepare(): void {
    if (this.#agent) return;
    const { background, onFailure } = this.#options;
    const { conversation } = this.#stage;
    background.start('prepare the greeting', () => conversation.prepare(), onFailure);
  }

  /** The call was answered. */
  start(): void {
    if (this.#agent) this.#agent.begin();
    else this.#stage.conversation.start();
  }

  tick(tick: MediaTick): void {
    if (this.#isAgentTalking) this.#agent?.tick(tick);
    else this.#onTick?.(tick);
  }

  dtmf(digit: string): void {
    if (this.#isAgentTalking) this.#agent?.dtmf(digit);
    else this.#stage.conversation.dtmf(digit);
  }

  /** The far end has put the call on hold, or has resumed it. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#stage.conversation.hold(isHeld);
  }

  /** Tells the caller that a supervisor listens in; the event `announced` follows. */
  announce(): void {
    this.#isAnnouncementDue = true;
    this.#stage.conversation.supervision.announce();
  }

  /** See {@link Supervision.whisper}. An assistant to whom the call is handed over does not receive it. */
  whisper(text: string): boolean {
    return this.#stage.conversation.supervision.whisper(text);
  }

  /** See {@link Supervision.attend}. */
  attend(isAttended: boolean): boolean {
    this.#isAttended = this.#stage.conversation.supervision.attend(isAttended);
    return this.#isAttended;
  }

  /** What was heard so far in the call, in order. */
  transcript(): Turn[] {
    const { conversation } = this.#stage;
    const earlier = this.#ended.filter((other) => other.conversation !== conversation);
    return [...earlier.flatMap(({ turns }) => turns), ...conversation.transcript()];
  }

  /** For another process that may have to go on. */
  stored(): StoredConversation {
    const { lastTurn, dialogue } = this.#stage.conversation.continuation();
    const { assistant } = this.#speaker;
    const wasDisclosed = this.#wasDisclosed || (assistant.disclosureMessage ?? '') === '';
    return { speakerId: assistant.id, handOvers: this.#handOvers, wasDisclosed, lastTurn, dialogue };
  }

  /** All tools that were used so far. */
  toolUses(): ToolUse[] {
    const { conversation } = this.#stage;
    const earlier = this.#ended.filter((other) => other.conversation !== conversation);
    return [...earlier.flatMap(({ toolUses }) => toolUses), ...conversation.continuation().toolUses];
  }

  /** Choices of the caller and keys collected so far. */
  notes(): Record<string, unknown> {
    const { variables = {} } = this.#options.resumed ?? {};
    return { ...variables, ...this.#ownNotes() };
  }

  #ownNotes(): Record<string, string> {
    const all = [...this.#ended.map(({ notes }) => notes), this.#stage.conversation.notes()];
    return Object.fromEntries(all.flatMap((notes) => Object.entries(notes)));
  }

  /** The line has ended. Resolves when nothing runs any more, with what was said until then; never rejects. */
  async lineEnded(): Promise<ConversationsEnd> {
    this.#isOver = true;
    this.#agent?.end();
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
      quality: joinQuality(ends.map(({ quality }) => quality)),
      toolUses: ends.flatMap(({ toolUses }) => toolUses),
      notes: this.notes(),
      hasTalkedToAgent: this.#agent?.hasHeardCaller ?? false,
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
      this.#keep(conversation, engines, {
        turns,
        drafts: { made: 0, discarded: 0 },
        quality: joinQuality([]),
        toolUses: [],
      });
      throw error;
    }
  }

  /** A conversation that ends during a hand-over is closed twice and kept once. */
  #keep(
    conversation: Conversation,
    engines: CallEngines,
    end: Omit<EndedConversation, 'conversation' | 'notes'>,
  ): void {
    if (this.#ended.some((other) => other.conversation === conversation)) return;
    const { turns, drafts, quality, toolUses } = end;
    this.#ended.push({ conversation, turns, drafts, quality, toolUses, notes: conversation.notes() });
    engines.release();
  }

  #open(
    speaker: AssistantForVoice,
    engines: CallEngines,
    continues?: Continuation,
    isHandedOver = continues !== undefined,
  ): Stage {
    const { call, voice, log, toolsOf, servers, resumed } = this.#options;
    const conversation = createConversation({
      line: this.#line(),
      clock: voice.core.clock,
      log,
      settings: conversationSettings(call, {
        speaker,
        reachable: this.#handOvers < MAX_HAND_OVERS ? [call, ...call.others] : [],
        isHandedOver,
        resumed: continues === resumed ? resumed : undefined,
        serverTools: servers.toolsOf(speaker),
      }),
      continues,
      tools: toolsOf(speaker),
      onEvent: (event) => this.#take(event),
      ...engines,
    });
    return { conversation, engines };
  }

  /** The leg's media. The session occupies its only listener slot and passes the ticks on through `tick`. */
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
      lowerPlayout: () => media.lowerPlayout(),
      resumePlayout: () => media.resumePlayout(),
      clear: () => media.clear(),
    };
  }

  #take(event: ConversationEvent): void {
    if (event.type === 'announced') this.#isAnnouncementDue = false;
    if (event.type === 'disclosed') this.#wasDisclosed = event.isComplete;
    if (event.type !== 'hang-up' || event.nextAssistantId === undefined) return this.#options.onEvent(event);
    this.#handingOver = this.#handOver(event.nextAssistantId).catch((error: unknown) =>
      this.#options.onFailure(error),
    );
  }

  /** @throws SpeechError when the next one names a voice or model that is unavailable */
  async #handOver(assistantId: number): Promise<void> {
    const { call, voice, onHandOver } = this.#options;
    const { type, trunk } = call;
    const speaker = [call, ...call.others].find(({ assistant }) => assistant.id === assistantId);
    if (!speaker) throw new Error('A call was handed over to an assistant outside its configuration');
    const continuation = await this.#close();
    if (this.#isOver) return;
    this.#handOvers += 1;
    this.#speaker = speaker;
    this.#wasDisclosed = false;
    const engines = voice.engines.forCall({ ...speaker, type, trunk }, this.#options.engines.usage);
    this.#stage = this.#open(speaker, engines, forModelOf(speaker, continuation));
    onHandOver(speaker);
    this.#resume();
  }

  /** The agent has failed: the first assistant begins the conversation, at the present time of the call. */
  async #takeFromAgent(): Promise<void> {
    const { call, voice, engines: first } = this.#options;
    await this.#close();
    if (this.#isOver || !this.#agent) return;
    const engines = voice.engines.forCall(call, first.usage);
    const { atMs, lastTurn } = this.#agent;
    this.#isAgentTalking = false;
    this.#stage = this.#open(call, engines, { atMs, lastTurn, dialogue: [] }, false);
    this.#resume();
  }

  #resume(): void {
    this.#stage.conversation.hold(this.#isHeld);
    this.#stage.conversation.start();
    if (this.#isAnnouncementDue) this.#stage.conversation.supervision.announce();
    if (this.#isAttended) this.#stage.conversation.supervision.attend(true);
  }
}

/** A scripted model must not see earlier dialogue: it derives its position from the number of turns. */
function forModelOf({ model }: AssistantForVoice, continuation: Continuation): Continuation {
  return model.kind === 'built-in' ? { ...continuation, dialogue: [] } : continuation;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
