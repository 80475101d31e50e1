/**
 * Deepgram's live transcription with its Nova models: interim results, a final at each pause, and a final on request.
 *
 * @see https://developers.deepgram.com/reference/speech-to-text/listen-streaming
 */
import type { Clock } from '@parley/runtime';
import { z } from 'zod';
import type { Recogniser } from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import { SocketRecogniserStream, type RecogniserProtocol, type Told } from '../../wire/socket-recogniser.ts';
import type { ProviderAccount } from '../provider-account.ts';
import { deepgramHeaders } from './deepgram-headers.ts';

const MODEL = 'nova-3';
/** Silence after which the provider itself ends a segment, milliseconds. */
const ENDPOINTING_MS = 300;
/** The gap between words after which the provider sends `UtteranceEnd`, milliseconds; its minimum. */
const UTTERANCE_END_MS = 1000;
/** Published measurements on real calls: 350 ms in 99 of 100 cases. */
const FINAL_WITHIN_MS = 350;

const results = z.object({
  type: z.literal('Results'),
  start: z.number(),
  duration: z.number(),
  is_final: z.boolean().default(false),
  from_finalize: z.boolean().default(false),
  channel: z.object({
    alternatives: z.array(
      z.object({ transcript: z.string(), words: z.array(z.object({ end: z.number() })).default([]) }),
    ),
  }),
});
const utteranceEnd = z.object({ type: z.literal('UtteranceEnd') });

/** One account, one rate. */
export interface StreamingRecogniserOptions {
  account: ProviderAccount;
  clock: Clock;
  /** The rate of the line, so that nothing is resampled: 8000 or 16 000 Hz. */
  sampleRateHz: number;
}

/** @see StreamingRecogniserOptions */
export function createNovaRecogniser({
  account,
  clock,
  sampleRateHz,
}: StreamingRecogniserOptions): Recogniser {
  return {
    capabilities: { hasInterim: true, sampleRateHz, finalWithinMs: FINAL_WITHIN_MS, endOfTurn: 'pause' },
    open: ({ language }, onEvent) =>
      new SocketRecogniserStream(protocol(account, sampleRateHz, language), clock, onEvent),
  };
}

function protocol(account: ProviderAccount, sampleRateHz: number, language: string): RecogniserProtocol {
  return {
    url: socketUrl(account.baseUrl, '/v1/listen', {
      model: MODEL,
      language,
      encoding: 'linear16',
      sample_rate: String(sampleRateHz),
      channels: '1',
      interim_results: 'true',
      punctuate: 'true',
      endpointing: String(ENDPOINTING_MS),
      utterance_end_ms: String(UTTERANCE_END_MS),
    }),
    headers: deepgramHeaders(account),
    apiKey: account.apiKey,
    sampleRateHz,
    pieceMs: 40,
    finalise: { type: 'Finalize' },
    farewell: { type: 'CloseStream' },
    keepAlive: { type: 'KeepAlive' },
    read: readMessage,
  };
}

/**
 * `UtteranceEnd` is derived from the times of the words, so it also comes when noise or another voice follows them.
 * `SpeechStarted` and `Metadata` are ignored: the conversation has better information.
 */
function readMessage(message: unknown): readonly Told[] {
  if (utteranceEnd.safeParse(message).success) return [{ type: 'word-gap' }];
  const { data } = results.safeParse(message);
  const best = data?.channel.alternatives[0];
  if (!data || !best) return [];
  const text = best.transcript.trim();
  const endMs = Math.round((best.words.at(-1)?.end ?? data.start + data.duration) * 1000);
  if (data.from_finalize) return [{ type: 'answer', text, endMs }];
  if (text === '') return [{ type: 'no-words' }];
  return data.is_final ? [{ type: 'final', text, endMs }] : [{ type: 'interim', text }];
}
