/** What every part of the voice process shares. Assembled in app.ts and immutable afterwards. */
import type { TextReply, WrittenMessage } from '@parley/conversation';
import type { CoreContext, Embedder, ReplyCost } from '@parley/core';
import type { BackgroundWork } from '@parley/runtime';
import type { GuardedClient } from '@parley/runtime/guarded-http';
import type { SipEndpoint } from '@parley/telephony';
import type { Engines } from './engines.ts';
import type { Evaluations } from './evaluation/evaluations.ts';
import type { VoiceLease } from './lease.ts';
import type { LiveCalls } from './live-calls.ts';
import type { AgentSockets } from './stream/agent-sockets.ts';
import type { TrunkAddresses } from './trunk-addresses.ts';
import type { WebRtc } from './web-rtc.ts';

/** What is asked. */
export interface WrittenQuestion {
  userId: number;
  assistantId: number;
  messages: readonly WrittenMessage[];
  variables: Record<string, unknown>;
  /** HTTP tools of the assistant may be used. */
  runsTools: boolean;
}

/** A reply, and what it cost. */
export type ChargedReply = TextReply & { cost: ReplyCost };

/** Written replies of assistants, given by this process. */
export interface Replies {
  /** Whether this process can give another reply now. */
  readonly hasFreeSlot: boolean;
  /** Waits for a slot among the replies, for other work of a model. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * @param signal - ends the reply with what there is
   * @throws DomainError `not-found`; SpeechError when no model answers
   */
  reply(question: WrittenQuestion, signal: AbortSignal): Promise<ChargedReply>;
}

/** The dependencies of a call. Clock and log are those of `core`. */
export interface VoiceContext {
  core: CoreContext;
  /** Work of the process that no call owns: taking calls, ending calls that other processes left. */
  background: BackgroundWork;
  lease: VoiceLease;
  calls: LiveCalls;
  engines: Engines;
  evaluations: Evaluations;
  replies: Replies;
  endpoint: SipEndpoint;
  /** Null: calls of browsers use their WebSockets only. */
  webRtc: WebRtc | null;
  /** The addresses of trunks, whose refused calls never count against their source. */
  trunkAddresses: Pick<TrunkAddresses, 'includes'>;
  /** Sends webhooks for inbound calls to the servers of assistant owners while a call rings. */
  owners: Pick<GuardedClient, 'send'>;
  /** Connections to the agents of users, for media streams. */
  agents: AgentSockets;
  /** For the tools of assistants, whose addresses are chosen by their owners. */
  http: GuardedClient;
  /** Embeds the questions that assistants put to their knowledge bases. */
  embedder: Embedder;
  /** How long a phone may ring, milliseconds. */
  ringLimitMs: number;
}
