/**
 * The agent of a user that talks on a call in place of the assistant, over a media stream. If it cannot be reached or fails,
 * the stream's target says whether the assistant continues or the call ends; the timeline of the call says why.
 */
import { randomBytes } from 'node:crypto';
import { rmsDbfs } from '@parley/audio';
import type { ConversationEvent } from '@parley/conversation';
import { signStream, type CallForVoice, type CoreContext } from '@parley/core';
import type { BackgroundWork } from '@parley/runtime';
import { interpolate } from '@parley/script';
import {
  AgentStream,
  type MediaPort,
  type MediaTick,
  type StreamEndReason,
  type StreamIdentity,
} from '@parley/telephony';
import type { AgentSockets } from './agent-sockets.ts';

/** Where the sound of a call is streamed. */
type StreamTarget = Extract<NonNullable<CallForVoice['answering']>, { type: 'stream' }>;

/** Options of the agent of one call. */
export interface CallAgentOptions {
  voice: { core: CoreContext; agents: AgentSockets };
  call: CallForVoice;
  target: StreamTarget;
  media: MediaPort;
  background: BackgroundWork;
  /** Writes a line of the call's timeline. */
  note: (type: string, detail: Record<string, unknown>) => void;
  /** The call must end. */
  onHangUp: (hangUp: Extract<ConversationEvent, { type: 'hang-up' }>) => void;
  /** The assistant must continue the call. */
  onGivenBack: () => void;
}

const FRAME_MS = 20;
/** The caller has spoken when this many frames (300 ms) were louder than the level. */
const SPEECH_FRAMES = 15;
const SPEECH_DBFS = -40;
const SID_DIGITS = 32;

type FailureReason = StreamEndReason | 'unreachable' | 'disclosure-message' | 'internal-error';

/** One per streamed call. */
export class CallAgent {
  readonly #options: CallAgentOptions;
  #stream: AgentStream | null = null;
  #isOver = false;
  #frames = 0;
  #loudFrames = 0;

  constructor(options: CallAgentOptions) {
    this.#options = options;
  }

  /** Milliseconds since the answer. */
  get atMs(): number {
    return this.#frames * FRAME_MS;
  }

  /** The newest turn of the media port. */
  get lastTurn(): number {
    return this.#stream?.lastTurn ?? 0;
  }

  /** Whether the caller has said something, judged by the level of the sound: nothing is recognised. */
  get hasHeardCaller(): boolean {
    return this.#loudFrames >= SPEECH_FRAMES;
  }

  /** The call was answered. */
  begin(): void {
    const { background } = this.#options;
    background.start(
      'connect a call to its agent',
      () => this.#connect(),
      () => this.#fail('internal-error'),
    );
  }

  tick(tick: MediaTick): void {
    if (this.#isOver) return;
    this.#frames += 1;
    if (rmsDbfs(tick.received) > SPEECH_DBFS) this.#loudFrames += 1;
    this.#stream?.tick(tick);
    if (this.atMs >= this.#options.call.assistant.maxDurationSeconds * 1000)
      this.#hangUp({ type: 'hang-up', by: 'limit', reason: 'duration_limit' });
  }

  dtmf(digit: string): void {
    this.#stream?.dtmf(digit);
  }

  /** The line has ended. Harmless when repeated. */
  end(): void {
    this.#isOver = true;
    this.#stream?.stop();
  }

  async #connect(): Promise<void> {
    const { voice, call, target } = this.#options;
    // The assistant may have got one since the route was written.
    if (call.assistant.disclosureMessage) return this.#fail('disclosure-message');
    const { url } = target;
    const headers = await signStream(voice.core, call.userId, url);
    const socket = await voice.agents.open({ url, headers, isPublicOnly: !call.isOperators });
    if ('error' in socket) return this.#fail('unreachable', socket.error);
    if (this.#isOver) return socket.terminate();
    const about = identityOf(call, target);
    this.#options.note('agent_connected', { stream_sid: about.streamSid, call_sid: about.callSid });
    const { media } = this.#options;
    this.#stream = new AgentStream({ socket, media, about, onEnd: (reason) => this.#onEnd(reason) });
    socket.resume();
  }

  #onEnd(reason: StreamEndReason): void {
    if (this.#isOver || reason === 'stopped') return;
    if (reason !== 'closed') return this.#fail(reason);
    this.#hangUp({ type: 'hang-up', by: 'assistant', reason: 'agent_hung_up' });
  }

  #fail(reason: FailureReason, message?: string): void {
    if (this.#isOver) return;
    const { target, note, onGivenBack } = this.#options;
    const { onFailure: on_failure } = target;
    note('agent_failed', { reason: reason.replaceAll('-', '_'), on_failure, ...(message && { message }) });
    if (on_failure === 'hang_up')
      return this.#hangUp({ type: 'hang-up', by: 'system', reason: 'agent_failed' });
    this.#isOver = true;
    onGivenBack();
  }

  #hangUp(hangUp: Parameters<CallAgentOptions['onHangUp']>[0]): void {
    this.end();
    this.#options.onHangUp(hangUp);
  }
}

/** `callSid` and `accountSid` contain the ids of the call and its user, so that a receiver finds the call in the API. */
function identityOf(call: CallForVoice, { parameters }: StreamTarget): StreamIdentity {
  const values = parameters.map(({ name, value }) => [name, interpolate(value, call.variables).text]);
  return {
    streamSid: `MZ${randomBytes(SID_DIGITS / 2).toString('hex')}`,
    callSid: `CA${String(call.callId).padStart(SID_DIGITS, '0')}`,
    accountSid: `AC${String(call.userId).padStart(SID_DIGITS, '0')}`,
    customParameters: Object.fromEntries(values) as Record<string, string>,
  };
}
