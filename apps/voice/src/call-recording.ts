/** The recording of one call: both directions from the answer to the end, where its assistant is set to record. */
import { WAV_HEADER_BYTES } from '@parley/audio';
import type { CallForVoice, FinishCallInput, RecordingWriter } from '@parley/core';
import type { Log } from '@parley/runtime';
import type { CallLeg, MediaTick } from '@parley/telephony';
import { CallRecorder } from './recorder.ts';
import type { VoiceContext } from './voice-context.ts';

/** What is recorded, and the listener for failures. */
export interface CallRecordingOptions {
  voice: VoiceContext;
  call: CallForVoice;
  leg: CallLeg;
  log: Log;
  onFailure: () => void;
  /** For a call with which this process goes on: the time since the answer, milliseconds. */
  elapsedMs?: number | undefined;
}

/** A recording that has begun. */
export interface CallRecording {
  onTick(tick: MediaTick): void;
  /** Never rejects. */
  finish(): Promise<NonNullable<FinishCallInput['recording']>>;
}

/** @returns null for a call that is not to be recorded */
export function recordCall(options: CallRecordingOptions): CallRecording | null {
  const { voice, call, leg, log, onFailure, elapsedMs } = options;
  const key = call.recordingKey;
  if (key === null) return null;
  const { sampleRateHz } = leg.media;
  const { recordings, clock } = voice.core;
  const continues = elapsedMs === undefined ? undefined : { soundBytes: 0, elapsedMs };
  const openWriter = async (): Promise<RecordingWriter> => {
    if (!continues) return recordings.createWriter(key);
    const { writer, sizeBytes } = await recordings.continueWriter(key);
    // Without the file of the other process, what was said before is silence.
    continues.soundBytes = Math.max(0, sizeBytes - WAV_HEADER_BYTES);
    return writer;
  };
  const recorder = new CallRecorder({ openWriter, continues, sampleRateHz, clock, log, onFailure });
  return {
    onTick: (tick) => recorder.onTick(tick),
    async finish() {
      const { durationMs } = await recorder.finish();
      return { key, durationMs, sampleRate: sampleRateHz };
    },
  };
}
