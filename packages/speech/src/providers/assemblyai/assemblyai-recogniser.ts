/**
 * AssemblyAI's streaming transcription, version 3. It detects the end of a turn by its meaning; the words of a turn arrive
 * as one growing text, which becomes final at the end.
 *
 * @see https://www.assemblyai.com/docs/streaming/message-sequence
 */
import { z } from 'zod';
import type { Recogniser } from '../../ports.ts';
import { socketUrl } from '../../wire/http-request.ts';
import { statedError } from '../../wire/provider-error.ts';
import { SocketRecogniserStream, type RecogniserProtocol, type Told } from '../../wire/socket-recogniser.ts';
import type { StreamingRecogniserOptions } from '../deepgram/nova-recogniser.ts';

const ENGLISH_MODEL = 'universal-streaming-english';
const OTHER_MODEL = 'universal-streaming-multilingual';
/** Two-letter codes: English, and what {@link OTHER_MODEL} understands besides. */
export const ASSEMBLYAI_LANGUAGES: readonly string[] = ['en', 'es', 'fr', 'de', 'it', 'pt'];
/** Published measurements on real calls: 420 ms in 99 of 100 cases. */
const FINAL_WITHIN_MS = 420;
/** The code of an `Error` message for a refused key. */
const UNAUTHORISED = 1008;

const turnMessage = z.object({
  type: z.literal('Turn'),
  turn_order: z.number(),
  end_of_turn: z.boolean(),
  end_of_turn_confidence: z.number().default(0),
  transcript: z.string(),
  /** Not empty when the caller pauses; the turn may still continue. */
  utterance: z.string().default(''),
  words: z.array(z.object({ text: z.string(), end: z.number() })).default([]),
});
const errorMessage = z.object({
  type: z.literal('Error'),
  error_code: z.number().optional(),
  error: z.string().default(''),
});

/** Whether there is a model for a language, given by its code. */
export function isAssemblyAiLanguage(language: string): boolean {
  const code = language.slice(0, 2).toLowerCase();
  return ASSEMBLYAI_LANGUAGES.includes(code);
}

/** The options of the recogniser. */
export interface AssemblyAiRecogniserOptions extends StreamingRecogniserOptions {
  /** True: the provider detects the end of turns by the meaning of the words. False: a request for a final ends the turn. */
  wantsTurns: boolean;
}

/** For the languages of {@link isAssemblyAiLanguage}. */
export function createAssemblyAiRecogniser(options: AssemblyAiRecogniserOptions): Recogniser {
  const { clock, sampleRateHz, wantsTurns } = options;
  return {
    capabilities: {
      hasInterim: true,
      sampleRateHz,
      finalWithinMs: FINAL_WITHIN_MS,
      endOfTurn: wantsTurns ? 'semantic' : 'pause',
    },
    open: ({ language }, onEvent) => new SocketRecogniserStream(protocol(options, language), clock, onEvent),
  };
}

function protocol(
  { account, sampleRateHz, wantsTurns }: AssemblyAiRecogniserOptions,
  language: string,
): RecogniserProtocol {
  const isEnglish = language.slice(0, 2).toLowerCase() === 'en';
  const reader = new TurnReader(wantsTurns);
  return {
    url: socketUrl(account.baseUrl, '/v3/ws', {
      speech_model: isEnglish ? ENGLISH_MODEL : OTHER_MODEL,
      sample_rate: String(sampleRateHz),
      encoding: 'pcm_s16le',
      // A formatted text would come later than the end of the turn, and a language model needs none.
      format_turns: 'false',
    }),
    headers: account.apiKey === null ? {} : { authorization: account.apiKey },
    apiKey: account.apiKey,
    sampleRateHz,
    pieceMs: 60, // the provider refuses less than 50
    ...(wantsTurns ? {} : { finalise: { type: 'ForceEndpoint' } }),
    farewell: { type: 'Terminate' },
    read(message) {
      const turn = turnMessage.safeParse(message).data;
      return turn ? reader.read(turn) : readError(message, account.apiKey);
    },
  };
}

type Turn = z.output<typeof turnMessage>;

class TurnReader {
  readonly #wantsTurns: boolean;
  #lastEnded = -1;
  #isPausing = false;

  constructor(wantsTurns: boolean) {
    this.#wantsTurns = wantsTurns;
  }

  read(turn: Turn): readonly Told[] {
    // Some models send the end of a turn twice, the second time formatted.
    if (turn.turn_order <= this.#lastEnded) return [];
    if (turn.end_of_turn) this.#lastEnded = turn.turn_order;
    return this.#wantsTurns ? this.#readTurn(turn) : readWords(turn);
  }

  /** The provider also reports pauses in which the turn may or may not end. */
  #readTurn(turn: Turn): readonly Told[] {
    const wasPausing = this.#isPausing;
    const confidence = turn.end_of_turn_confidence;
    this.#isPausing = !turn.end_of_turn && turn.utterance !== '';
    const text = { type: 'turn', text: textOf(turn) } as const;
    if (turn.end_of_turn) return [{ ...text, endOfTurn: confidence }];
    if (this.#isPausing) return [{ ...text, eagerEnd: confidence }];
    return wasPausing ? [{ type: 'turn-resumed' }, text] : [text];
  }
}

function readWords(turn: Turn): readonly Told[] {
  const text = textOf(turn);
  const endMs = turn.words.at(-1)?.end;
  if (turn.end_of_turn) return [{ type: 'answer', text, ...(endMs === undefined ? {} : { endMs }) }];
  return text === '' ? [] : [{ type: 'interim', text }];
}

/** The transcript contains final words only; the list of words also those that may still change. */
function textOf({ end_of_turn: isOver, transcript, words }: Turn): string {
  return (isOver ? '' : words.map((word) => word.text).join(' ')) || transcript.trim();
}

function readError(message: unknown, apiKey: string | null): readonly Told[] {
  const { data } = errorMessage.safeParse(message);
  if (!data) return [];
  const kind = data.error_code === UNAUTHORISED ? 'rejected' : 'unavailable';
  return [{ type: 'error', error: statedError(kind, data.error, apiKey) }];
}
