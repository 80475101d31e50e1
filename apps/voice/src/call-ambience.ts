/**
 * The background sound that the caller hears: that of the assistant, or music while the caller waits for a person who is
 * asked to take the call.
 */
import type { AssistantForVoice } from '@parley/core';
import type { BackgroundWork } from '@parley/runtime';
import type { MediaPort } from '@parley/telephony';
import type { AmbientSounds } from './ambience/ambient-sounds.ts';

/** Options of the background sound of one call. */
export interface CallAmbienceOptions {
  sounds: Pick<AmbientSounds, 'loop' | 'holdMusic'>;
  media: Pick<MediaPort, 'sampleRateHz' | 'setAmbience'>;
  background: BackgroundWork;
  /** Nothing is played once the caller is connected to another person. */
  isOver: () => boolean;
}

/** One instance per call. */
export class CallAmbience {
  readonly #options: CallAmbienceOptions;
  #speaker: AssistantForVoice | null = null;
  #hold: 'music' | 'silence' | null = null;
  /** Counts changes: a sound that was prepared for an earlier one is not played. */
  #changes = 0;

  constructor(options: CallAmbienceOptions) {
    this.#options = options;
  }

  /** That of this assistant from now on. */
  begin(speaker: AssistantForVoice): void {
    this.#speaker = speaker;
    this.#change();
  }

  /** The caller waits with that sound; null: not any more. */
  hold(sound: 'music' | 'silence' | null): void {
    if (sound === this.#hold) return;
    this.#hold = sound;
    this.#options.media.setAmbience(null);
    this.#change();
  }

  #change(): void {
    const { background, isOver, media } = this.#options;
    const change = ++this.#changes;
    background.start('prepare the ambient sound', async () => {
      const loop = await this.#loop();
      if (change === this.#changes && !isOver()) media.setAmbience(loop);
    });
  }

  async #loop(): Promise<Parameters<MediaPort['setAmbience']>[0]> {
    const { sounds, media } = this.#options;
    if (this.#hold === 'silence' || !this.#speaker) return null;
    const { ambientSound, ambientSoundVolume } = this.#speaker.assistant;
    const [samples, gain] =
      this.#hold === 'music'
        ? [await sounds.holdMusic(media.sampleRateHz), 1]
        : [await sounds.loop(ambientSound, media.sampleRateHz), ambientSoundVolume];
    return samples && { samples, gain };
  }
}
