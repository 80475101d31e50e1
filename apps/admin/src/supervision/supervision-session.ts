/**
 * The connection of a supervisor to a live call: sound, words, and the microphone for the one who talks. Reports events to
 * its listener. Closing it ends the listening, or gives the call back to the assistant.
 */
import type { SupervisionServerMessage } from '@parley/contracts';
import { socketAddress } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { readRequestError } from '../client/request-error.ts';
import { explainRefusal } from '../talk/microphone-problem.rules.ts';
import { WORKLET_URLS } from '../talk/worklet-urls.ts';
import { openLoudspeaker, openMicrophone, openTalkAudio, type TalkAudio } from '../web-call/talk-audio.ts';
import { FRAME_SAMPLES } from '../web-call/talk-wire.ts';
import type { CapturedFrame, PlaybackReport } from '../web-call/worklet-messages.ts';
import { texts } from './texts.ts';

/** What happens in a session. */
export type SupervisionEvent =
  | { type: 'message'; message: SupervisionServerMessage }
  /** `problem`: a sentence, or null for an end that was wanted. */
  | { type: 'closed'; problem: string | null };

/** What a session needs. */
export interface SupervisionSessionOptions {
  mode: 'listen' | 'talk';
  /** Asks for a path that is valid once. */
  join: () => Promise<{ path: string }>;
  onEvent: (event: SupervisionEvent) => void;
  onPlayback: (report: PlaybackReport) => void;
}

/** A second of sound that waits to be sent means that the connection is stuck: frames are dropped. */
const MAX_UNSENT_BYTES = 50 * FRAME_SAMPLES * 2;
/** WebSocket close codes of the server: a refusal, and a ticket that is not valid. */
const REFUSED: ReadonlySet<number> = new Set([4403, 4409]);
const NORMAL_CLOSURE = 1000;

/** Started once, stopped once. */
export class SupervisionSession {
  readonly #options: SupervisionSessionOptions;
  #audio: TalkAudio | null = null;
  #socket: WebSocket | null = null;
  #isReady = false;
  #isOver = false;

  constructor(options: SupervisionSessionOptions) {
    this.#options = options;
  }

  /** Never throws: what goes wrong becomes the event `closed`. */
  async start(): Promise<void> {
    try {
      const audio = await this.#openAudio();
      this.#audio = audio;
      if (this.#isOver) return await audio.stop();
      const { path } = await this.#options.join();
      if (!this.#isOver) this.#connect(path);
    } catch (error) {
      this.#finish(
        error instanceof DOMException ? explainRefusal(error.name).text : readRequestError(error).message,
      );
    }
  }

  setMuted(isMuted: boolean): void {
    this.#audio?.setMuted(isMuted);
  }

  /** May be called twice. */
  stop(): void {
    if (this.#isOver) return;
    const isOpen = this.#socket?.readyState === WebSocket.OPEN;
    if (isOpen && this.#options.mode === 'talk') this.#socket?.send(JSON.stringify({ type: 'give-back' }));
    this.#finish(null);
  }

  async #openAudio(): Promise<TalkAudio> {
    const { mode, onPlayback } = this.#options;
    if (mode === 'listen') return openLoudspeaker(onPlayback, WORKLET_URLS);
    const onFrame = (frame: CapturedFrame): void => this.#send(frame);
    return openTalkAudio(await openMicrophone(), { onFrame, onPlayback }, WORKLET_URLS);
  }

  #connect(path: string): void {
    const socket = new WebSocket(socketAddress(path));
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => this.#receive(data));
    socket.addEventListener('close', ({ code }) => this.#finish(problemOf(code)));
    this.#socket = socket;
  }

  #receive(data: ArrayBuffer | string): void {
    if (typeof data !== 'string') return this.#audio?.play(data);
    const message = JSON.parse(data) as SupervisionServerMessage;
    if (message.type === 'talking') this.#isReady = true;
    this.#options.onEvent({ type: 'message', message });
    if (message.type === 'ended') this.#finish(null);
  }

  #send({ pcm }: CapturedFrame): void {
    const socket = this.#socket;
    if (!this.#isReady || socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount <= MAX_UNSENT_BYTES) socket.send(pcm);
  }

  #finish(problem: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket?.close(NORMAL_CLOSURE);
    inBackground(this.#audio?.stop());
    this.#options.onEvent({ type: 'closed', problem });
  }
}

function problemOf(code: number): string | null {
  if (code === NORMAL_CLOSURE) return null;
  return REFUSED.has(code) ? texts.problems.refused : texts.problems.lost;
}
