/**
 * Deepgram's Flux models, which detect the end of a turn by its meaning. The words of a turn arrive as one growing text,
 * several times a second. A request for a final takes the words so far and does not force the end (`ForceEndTurn`), because
 * detecting it is the purpose of this model.
 *
 * @see https://developers.deepgram.com/docs/flux/state
 */
import type { Recogniser } from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import { statedError } from '../../wire/provider-error.ts';
import { SocketRecogniserStream, type RecogniserProtocol, type Told } from '../../wire/socket-recogniser.ts';
import { z } from 'zod';
import type { ProviderAccount } from '../provider-account.ts';
import { deepgramHeaders } from './deepgram-headers.ts';
import type { StreamingRecogniserOptions } from './nova-recogniser.ts';

const ENGLISH_MODEL = 'flux-general-en';
const OTHER_MODEL = 'flux-general-multi';
/** Two-letter codes of the languages that {@link OTHER_MODEL} supports besides English. */
const OTHER_LANGUAGES: readonly string[] = ['es', 'fr', 'de', 'hi', 'ru', 'pt', 'ja', 'it', 'nl'];
/** The probability from which an early end of turn is reported; the provider's minimum is 0.3. */
const EAGER_THRESHOLD = 0.5;
const FINAL_WITHIN_MS = 350;

const turnInfo = z.object({
  type: z.literal('TurnInfo'),
  event: z.string(),
  transcript: z.string(),
  audio_window_end: z.number(),
  end_of_turn_confidence: z.number().default(0),
});
const fatalError = z.object({ type: z.literal('Error'), description: z.string().default('') });

/** Whether Flux has a model for a language, given by its code. */
export function isFluxLanguage(language: string): boolean {
  const code = language.slice(0, 2).toLowerCase();
  return code === 'en' || OTHER_LANGUAGES.includes(code);
}

/** For the languages of {@link isFluxLanguage}. */
export function createFluxRecogniser({
  account,
  clock,
  sampleRateHz,
}: StreamingRecogniserOptions): Recogniser {
  return {
    capabilities: { hasInterim: true, sampleRateHz, finalWithinMs: FINAL_WITHIN_MS, endOfTurn: 'semantic' },
    open: ({ language }, onEvent) =>
      new SocketRecogniserStream(protocol(account, sampleRateHz, language), clock, onEvent),
  };
}

function protocol(account: ProviderAccount, sampleRateHz: number, language: string): RecogniserProtocol {
  const code = language.slice(0, 2).toLowerCase();
  return {
    url: socketUrl(account.baseUrl, '/v2/listen', {
      ...(code === 'en' ? { model: ENGLISH_MODEL } : { model: OTHER_MODEL, language_hint: code }),
      encoding: 'linear16',
      sample_rate: String(sampleRateHz),
      eager_eot_threshold: String(EAGER_THRESHOLD),
    }),
    headers: deepgramHeaders(account),
    apiKey: account.apiKey,
    sampleRateHz,
    pieceMs: 80, // what the provider recommends for this model
    farewell: { type: 'CloseStream' },
    read: (message) => readMessage(message, account.apiKey),
  };
}

function readMessage(message: unknown, apiKey: string | null): readonly Told[] {
  const { data } = turnInfo.safeParse(message);
  if (data) return readTurn(data);
  const error = fatalError.safeParse(message).data;
  return error ? [{ type: 'error', error: statedError('unavailable', error.description, apiKey) }] : [];
}

function readTurn(turn: z.output<typeof turnInfo>): readonly Told[] {
  const confidence = turn.end_of_turn_confidence;
  const heardMs = Math.round(turn.audio_window_end * 1000);
  const text = { type: 'turn', text: turn.transcript, heardMs } as const;
  switch (turn.event) {
    case 'StartOfTurn':
    case 'Update':
      return [text];
    case 'EagerEndOfTurn':
      return [{ ...text, eagerEnd: confidence }];
    case 'TurnResumed':
      return [{ type: 'turn-resumed' }, text];
    case 'EndOfTurn':
      return [{ ...text, endOfTurn: confidence }];
    default:
      return [];
  }
}
