/** One recording from the microphone. */
import { inBackground } from '../../client/in-background.ts';
import { WORKLET_URLS } from '../../talk/worklet-urls.ts';
import { openMicrophone, openTalkAudio, type TalkAudio } from '../../web-call/talk-audio.ts';
import type { CapturedFrame } from '../../web-call/worklet-messages.ts';
import { wavFile } from './wav-file.ts';

/** Frames of 20 ms in the longest recording that the server accepts, 60 s. */
const MAX_FRAMES = 3_000;
/** The display is renewed five times a second. */
const REPORT_FRAMES = 10;

/** How far a recording is. */
export interface RecordingProgress {
  seconds: number;
  /** 0 to 1, the loudest of the last frames. */
  level: number;
}

/** Records from {@link start} until {@link stop}. */
export class MicrophoneRecorder {
  readonly #frames: ArrayBuffer[] = [];
  readonly #onProgress: (progress: RecordingProgress) => void;
  #audio: TalkAudio | null = null;
  #isStopped = false;
  #level = 0;

  /** @param onProgress - called five times a second */
  constructor(onProgress: (progress: RecordingProgress) => void) {
    this.#onProgress = onProgress;
  }

  /** Resolves when the microphone is open. @throws DOMException, whose name says why it cannot be used */
  async start(): Promise<void> {
    const listener = { onFrame: (frame: CapturedFrame) => this.#keep(frame), onPlayback: () => undefined };
    const audio = await openTalkAudio(await openMicrophone(), listener, WORKLET_URLS);
    if (this.#isStopped) return audio.stop();
    this.#audio = audio;
    this.#onProgress({ seconds: 0, level: 0 });
  }

  /** Switches the microphone off. Stopping twice is fine. @returns what was recorded */
  stop(): File {
    this.#isStopped = true;
    inBackground(this.#audio?.stop());
    return wavFile(this.#frames);
  }

  #keep({ pcm, level }: CapturedFrame): void {
    if (this.#isStopped || this.#frames.length >= MAX_FRAMES) return;
    this.#frames.push(pcm);
    this.#level = Math.max(this.#level, level);
    if (this.#frames.length % REPORT_FRAMES !== 0) return;
    this.#onProgress({ seconds: Math.floor(this.#frames.length / 50), level: this.#level });
    this.#level = 0;
  }
}

/** @returns whether the longest recording has been reached */
export function isFull({ seconds }: RecordingProgress): boolean {
  return seconds >= MAX_FRAMES / 50;
}
