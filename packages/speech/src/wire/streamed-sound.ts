/** Speech from one HTTP request whose response is audio, streamed as raw samples. */
import type { Clock } from '@parley/runtime';
import type { SpeakOptions } from '../ports.ts';
import { Patience, type PatienceLimits } from './patience.ts';
import { PcmStream } from './pcm-stream.ts';
import { toSpeechError } from './provider-error.ts';

/** One text. */
export interface SpokenRequest {
  text: string;
  /** What the provider was asked for; mono Int16, little endian. */
  rateHz: number;
  options: SpeakOptions;
  clock: Clock;
  limits: PatienceLimits;
  ask(signal: AbortSignal): Promise<StreamedSound>;
}

/** A response, or what was found in it. */
export interface StreamedSound {
  body: AsyncIterable<Uint8Array> | null;
  /** The rate that the response states, where it differs from the one that was asked for. */
  rateHz?: number;
}

/** @throws SpeechError while iterating */
export async function* speakOverHttp(
  request: SpokenRequest,
  signal: AbortSignal,
): AsyncGenerator<Int16Array> {
  if (signal.aborted || request.text.trim() === '') return;
  const patience = new Patience(request.clock, request.limits, signal);
  try {
    const sound = await request.ask(patience.signal);
    const rateHz = sound.rateHz ?? request.rateHz;
    yield* listen(sound, new PcmStream(rateHz, request.options.sampleRateHz), patience);
  } catch (error) {
    const failure = patience.explain(error, toSpeechError);
    if (failure) throw failure;
  } finally {
    patience.end();
  }
}

async function* listen(
  { body }: StreamedSound,
  samples: PcmStream,
  patience: Patience,
): AsyncGenerator<Int16Array> {
  for await (const bytes of body ?? []) {
    const piece = samples.push(bytes);
    patience.rest();
    if (piece.length > 0) yield piece;
    patience.heard();
    if (patience.signal.aborted) throw patience.signal.reason;
  }
  const rest = samples.end();
  if (rest.length > 0) yield rest;
}
