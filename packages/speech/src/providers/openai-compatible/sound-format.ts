/**
 * What a server has sent for `response_format: pcm`. OpenAI's samples have 24 000 Hz and no header. Other servers send WAV, or
 * state another rate with the content type. Everything else would be heard as noise, so that it is refused.
 */
import { isWav, readWavStart, WAV_NAME_BYTES } from '@parley/audio';
import { SpeechError } from '../../ports.ts';
import type { StreamedSound } from '../../wire/streamed-sound.ts';

/** Pages, objects of JSON, and compressed or logarithmic sound. */
const REFUSED_TYPES =
  /^(?:text\/|video\/|image\/|application\/(?:json|xml|ogg)|audio\/(?:x-)?(?:mpeg|mp3|mp4|m4a|aac|ogg|opus|flac|webm|basic|mulaw|pcmu|pcma)$)/u;
/** A WAV file whose samples begin later is none that we understand. */
const LONGEST_HEADER_BYTES = 65_536;
const LEAST_RATE_HZ = 8000;
const MOST_RATE_HZ = 192_000;

/** @throws SpeechError for a response that is no sound of 16 bits in one channel */
export async function soundOf(response: Response): Promise<StreamedSound> {
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').toLowerCase().split(';');
  if (REFUSED_TYPES.test(type.trim())) {
    await response.body?.cancel();
    throw refusal(type.trim());
  }
  const pieces: AsyncIterator<Uint8Array> = (response.body ?? nothing())[Symbol.asyncIterator]();
  try {
    return await opened(pieces, statedRate(parameters));
  } catch (error) {
    await pieces.return?.();
    throw error;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A response without a body has no sound.
}

/** Reads as far as the samples, or as far as it is certain that there is no header. */
async function opened(pieces: AsyncIterator<Uint8Array>, rateHz: number | null): Promise<StreamedSound> {
  let head = new Uint8Array();
  for (;;) {
    const wav = isWav(head);
    const start = wav ? startOf(head) : null;
    if (start) return { body: rest(head.subarray(start.dataAt), pieces), rateHz: start.sampleRateHz };
    if (!wav && head.length >= WAV_NAME_BYTES) return { body: rest(head, pieces), ...(rateHz && { rateHz }) };
    if (head.length > LONGEST_HEADER_BYTES) throw refusal('a WAV file without samples');
    const piece = await pieces.next();
    if (piece.done) return { body: rest(wav ? new Uint8Array() : head, pieces), ...(rateHz && { rateHz }) };
    head = Buffer.concat([head, piece.value]);
  }
}

async function* rest(first: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}

function startOf(head: Uint8Array): { sampleRateHz: number; dataAt: number } | null {
  const start = readWavStart(head);
  if (start && (!start.isPcm16 || start.channelCount !== 1)) throw refusal('WAV of another format');
  if (start && !isRate(start.sampleRateHz)) throw refusal(`WAV of ${start.sampleRateHz} Hz`);
  return start;
}

/** `audio/pcm;rate=22050`. */
function statedRate(parameters: readonly string[]): number | null {
  const stated = parameters
    .map((parameter) => parameter.split('=').map((part) => part.trim().replaceAll('"', '')))
    .find(([name]) => name === 'rate' || name === 'samplerate' || name === 'sample_rate');
  if (!stated) return null;
  const rateHz = Number(stated[1]);
  if (!isRate(rateHz)) throw refusal(`sound of ${String(stated[1]).slice(0, 20)} Hz`);
  return rateHz;
}

function isRate(rateHz: number): boolean {
  return Number.isInteger(rateHz) && rateHz >= LEAST_RATE_HZ && rateHz <= MOST_RATE_HZ;
}

function refusal(what: string): SpeechError {
  return new SpeechError(
    'unavailable',
    `The server answered with ${what} instead of samples of 16 bits in one channel: it must support response_format "pcm"`,
  );
}
