/** The recording of one call: both directions from the answer to the end, where its assistant is set to record. */
import type { CallForVoice, FinishCallInput } from '@parley/core';
import type { Log } from '@parley/runtime';
import type { CallLeg, MediaTick } from '@parley/telephony';
import { CallRecorder } from './recorder.ts';
import type { VoiceContext } from './voice-context.ts';

/** What is recorded, and who is told of a failure. */
export interface CallRecordingOptions {
  voice: VoiceContext;
  call: CallForVoice;
  leg: CallLeg;
  log: Log;
  onFailure: () => void;
}

/** A recording that has begun. */
export interface CallRecording {
  onTick(tick: MediaTick): void;
  /** Never rejects. */
  finish(): Promise<NonNullable<FinishCallInput['recording']>>;
}

/** @returns null for a call that is not to be recorded */
export function recordCall({ voice, call, leg, log, onFailure }: CallRecordingOptions): CallRecording | null {
  const key = call.recordingKey;
  if (key === null) return null;
  const { sampleRateHz } = leg.media;
  const { recordings, clock } = voice.core;
  const openWriter = () => recordings.createWriter(key);
  const recorder = new CallRecorder({ openWriter, sampleRateHz, clock, log, onFailure });
  return {
    onTick: (tick) => recorder.onTick(tick),
    async finish() {
      const { durationMs } = await recorder.finish();
      return { key, durationMs, sampleRate: sampleRateHz };
    },
  };
}
