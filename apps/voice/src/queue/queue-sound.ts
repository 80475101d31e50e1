/**
 * What a caller who waits hears: music that is made on this machine, and from time to time the position in the voice of the
 * assistant that will answer, without music.
 */
import type { CallForVoice } from '@parley/core';
import type { Log } from '@parley/runtime';
import { interpolate } from '@parley/script';
import type { MediaPort } from '@parley/telephony';
import { FLITE_VOICES } from '@parley/speech';
import type { CallEngines } from '../engines.ts';
import type { VoiceContext } from '../voice-context.ts';
import { ANNOUNCEMENT_TURN } from './queued-leg.ts';

/** The variable with the position, from 1. */
const POSITION = 'queue_position';

/** What the sound needs. */
export interface QueueSoundOptions {
  voice: Pick<VoiceContext, 'core' | 'engines'>;
  call: CallForVoice;
  media: MediaPort;
  /** The text, which may contain variables. */
  text: string;
  log: Log;
  /** The end of the wait. */
  signal: AbortSignal;
}

/** One instance per caller. */
export class QueueSound {
  readonly #options: QueueSoundOptions;
  readonly #engines: CallEngines;

  /** @throws SpeechError when the voice of the assistant is unavailable */
  constructor(options: QueueSoundOptions) {
    this.#options = options;
    this.#engines = options.voice.engines.forCall(options.call);
  }

  /** Never rejects: the caller goes on waiting without music. */
  async playMusic(): Promise<void> {
    const { voice, media, signal } = this.#options;
    const samples = await voice.engines.ambientSounds.holdMusic(media.sampleRateHz);
    if (samples && !signal.aborted) media.setAmbience({ samples, gain: 1 });
  }

  /** Begins to speak the position. Never rejects. @returns how long that takes, milliseconds; 0 if it cannot be spoken */
  async announce(position: number): Promise<number> {
    const { media, log, signal } = this.#options;
    try {
      const spoken = await this.#speak(position);
      if (signal.aborted) return 0;
      media.setAmbience(null);
      media.play(ANNOUNCEMENT_TURN, spoken);
      return (spoken.length / media.sampleRateHz) * 1000;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'A position in a queue could not be spoken');
      return 0;
    }
  }

  async #speak(position: number): Promise<Int16Array> {
    const { call, media, text, signal } = this.#options;
    const { assistant, voice, language, variables } = call;
    const words = interpolate(text, { ...variables, [POSITION]: position }).text;
    const options = {
      voice: assistant.mode === 'multimodal' ? FLITE_VOICES[0] : voice.wireName,
      sampleRateHz: media.sampleRateHz,
      speed: assistant.speechSpeed,
      stability: assistant.voiceStability,
      similarity: assistant.voiceSimilarity,
      language: language.iso2,
    };
    const pieces: Int16Array[] = [];
    for await (const piece of this.#engines.synthesiser.speak(words, options, signal)) pieces.push(piece);
    return joined(pieces);
  }

  /** Ends music and announcements. */
  stop(): void {
    const { media } = this.#options;
    media.clear();
    media.setAmbience(null);
    this.#engines.release();
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
