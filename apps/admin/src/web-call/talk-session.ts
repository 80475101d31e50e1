/**
 * One conversation in the browser, from the click to the end: microphone, call, WebSocket, sound. It
 * reports events to its listener and keeps no display state; see `talk-stage.rules.ts` for that.
 * The server decides whether WebRTC or the WebSocket carries the sound, and may change that at any time.
 */
import type { WebCallClientMessage, WebCallServerMessage } from '@parley/contracts';
import { SoundPath, type SoundPathReport } from './sound-path.ts';
import { openMicrophone, openTalkAudio, type TalkAudio } from './talk-audio.ts';
import type { TalkEvent, TalkProblem } from './talk-stage.rules.ts';
import { FRAME_SAMPLES } from './talk-wire.ts';
import type { CapturedFrame, PlaybackReport } from './worklet-messages.ts';
import { inBackground } from '../client/in-background.ts';

/** A call the server is ready to take. */
interface PlacedWebCall {
  /** Null where the id is not public. */
  callId: number | null;
  /** The address of the WebSocket, with a ticket that works once, for a minute. */
  url: string;
}

/** The explanations of what can go wrong. */
export interface TalkProblems {
  connectionLost: TalkProblem;
  notAccepted: TalkProblem;
  /** Describes an error of the microphone (DOMException), of the sound, or of `placeCall`. */
  ofError: (error: unknown) => TalkProblem;
}

/** What a session needs from the page. */
export interface TalkSessionOptions {
  placeCall: () => Promise<PlacedWebCall>;
  problems: TalkProblems;
  /** The URLs of the files with the two audio worklets. */
  workletUrls: readonly string[];
  onEvent: (event: TalkEvent) => void;
  /** Loudness of the microphone, 0 to 1, every 20 ms. */
  onMicrophoneLevel: (level: number) => void;
  onPlayback: (report: PlaybackReport) => void;
  /** What carries the sound, and how well: at each change, and every second over WebRTC. */
  onSoundPath: (report: SoundPathReport) => void;
  /** Audio is stopped: no more levels and reports arrive. */
  onSilence: () => void;
}

const FRAME_BYTES = FRAME_SAMPLES * 2;

/** More than this waiting to be sent (a second of sound) means the line is stuck: frames are dropped. */
const MAX_UNSENT_BYTES = 50 * FRAME_BYTES;

/** After the end, what the browser still holds of a WebRTC stream is played, milliseconds. */
const STREAM_TAIL_MS = 200;

/** Started once, stopped once; a new conversation is a new session. */
export class TalkSession {
  readonly #options: TalkSessionOptions;
  #audio: TalkAudio | null = null;
  #socket: WebSocket | null = null;
  #path: SoundPath | null = null;
  #isOver = false;
  #endedAtMs = 0;
  #isReady = false;
  #wasSounding = false;

  constructor(options: TalkSessionOptions) {
    this.#options = options;
  }

  /** Runs the set-up. Never throws: what goes wrong becomes an event. */
  async start(): Promise<void> {
    this.#options.onEvent({ type: 'started' });
    try {
      const microphone = await openMicrophone();
      const listener = {
        onFrame: (frame: CapturedFrame): void => this.#send(frame),
        onPlayback: (report: PlaybackReport): void => this.#followPlayback(report),
      };
      const audio = await openTalkAudio(microphone, listener, this.#options.workletUrls);
      this.#audio = audio;
      if (this.#isOver) return await audio.stop();
      this.#path = new SoundPath({
        microphone,
        tell: (message) => this.#tell(message),
        onStream: (stream) => audio.playStream(stream),
        onReport: this.#options.onSoundPath,
      });
      this.#options.onEvent({ type: 'microphone-allowed' });
      await this.#connect();
    } catch (error) {
      this.#fail(this.#options.problems.ofError(error));
    }
  }

  /** The person's own voice, heard or not. */
  setMuted(isMuted: boolean): void {
    this.#audio?.setMuted(isMuted);
  }

  /** Presses a key: 0 to 9, `*` or `#`. */
  pressKey(digit: string): void {
    this.#tell({ type: 'dtmf', digit });
  }

  /** Hangs up or cancels the set-up. May be called twice. */
  hangUp(): void {
    if (this.#isOver) return;
    this.#tell({ type: 'hang-up' });
    this.#finish({ type: 'ended' });
    this.#stopAudio();
  }

  async #connect(): Promise<void> {
    const { callId, url } = await this.#options.placeCall();
    if (this.#isOver) return;
    if (callId !== null) this.#options.onEvent({ type: 'call-placed', callId });
    const { connectionLost, notAccepted } = this.#options.problems;
    const socket = new WebSocket(SoundPath.addressOf(url));
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => this.#receive(data));
    socket.addEventListener('close', () => this.#fail(this.#isReady ? connectionLost : notAccepted));
    this.#socket = socket;
  }

  #receive(data: ArrayBuffer | string): void {
    if (typeof data !== 'string') return this.#audio?.play(data);
    const message = JSON.parse(data) as WebCallServerMessage;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        // The server sends it a second time, with the form of the sound, when the call is answered.
        if (message.ice_servers) this.#path?.begin(message.ice_servers);
        return this.#options.onEvent({ type: 'connected' });
      case 'webrtc-answer':
        return this.#path?.answer(message.sdp);
      case 'sound-path':
        return this.#path?.follow(message.path);
      case 'clear':
        return this.#audio?.clear();
      case 'turn':
        return this.#options.onEvent(turnEvent(message));
      case 'ended':
        // The last audio may still be waiting to be played; `#followPlayback` stops the audio after it.
        this.#audio?.stopCapture();
        return this.#finish({ type: 'ended' });
    }
  }

  #send({ pcm, level }: CapturedFrame): void {
    this.#options.onMicrophoneLevel(level);
    const socket = this.#socket;
    if (!this.#isReady || this.#path?.isWebRtc || socket?.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount <= MAX_UNSENT_BYTES) socket.send(pcm);
  }

  #tell(message: WebCallClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #followPlayback(report: PlaybackReport): void {
    this.#options.onPlayback(report);
    if (report.isSounding !== this.#wasSounding) {
      this.#wasSounding = report.isSounding;
      this.#options.onEvent({ type: report.isSounding ? 'sound-started' : 'sound-stopped' });
    }
    const isTailOver = performance.now() - this.#endedAtMs > STREAM_TAIL_MS;
    if (this.#isOver && report.waitingMs === 0 && isTailOver) this.#stopAudio();
  }

  #fail(problem: TalkProblem): void {
    if (this.#isOver) return;
    this.#finish({ type: 'failed', problem });
    this.#stopAudio();
  }

  #stopAudio(): void {
    this.#path?.close();
    inBackground(this.#audio?.stop());
    this.#options.onSilence();
  }

  #finish(event: TalkEvent): void {
    this.#isOver = true;
    this.#endedAtMs = performance.now();
    this.#options.onEvent(event);
    this.#socket?.close(1000);
  }
}

function turnEvent({ sender, text }: Extract<WebCallServerMessage, { type: 'turn' }>): TalkEvent {
  return sender === 'human'
    ? { type: 'turn-taken', turn: { sender, text } }
    : { type: 'turn-given', turn: { sender, text } };
}
