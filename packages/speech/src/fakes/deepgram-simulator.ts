/**
 * A server that speaks Deepgram's protocols: live transcription (`/v1/listen`), Flux (`/v2/listen`), Aura (`/v1/speak`) and
 * the lists of its account. It hears what the test says it hears. Written from the public reference.
 *
 * @see https://developers.deepgram.com/reference
 */
import { jsonReply, simulatedSpeech } from './openai-wire.ts';
import {
  ProviderSimulator,
  type SendMessage,
  type SimulatedReply,
  type SimulatedTalk,
  type SimulatorOptions,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

const VOICES = [{ name: 'thalia', canonical_name: 'aura-2-thalia-en', languages: ['en', 'en-US'] }];

/** What a simulated recogniser hears. */
export interface RecogniserSimulatorOptions extends SimulatorOptions {
  /** The utterances of each socket, in order; after the last one, nothing is understood. */
  utterances?: readonly string[];
  /** How long each utterance lasts, milliseconds. With it, recognisers of turns tell the words so far as they come. */
  utteranceMs?: number;
  /** True: Flux hears a turn wherever the sound is loud, and its end in the silence after it. */
  isFollowingLevel?: boolean;
  /** What comes by itself when so much sound of a socket is in: messages of the protocol. */
  timeline?: readonly { atMs: number; message: Record<string, unknown> }[];
}

/** @see RecogniserSimulatorOptions */
export class DeepgramSimulator extends ProviderSimulator {
  readonly #given: RecogniserSimulatorOptions;

  constructor(options: RecogniserSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  protected reply({ path, query, body }: SimulatedRequest): SimulatedReply | null {
    if (path === '/v1/projects') return jsonReply({ projects: [{ project_id: '1', name: 'Simulated' }] });
    if (path === '/v1/models') return jsonReply({ stt: [], tts: VOICES });
    if (path !== '/v1/speak') return null;
    const speech = { speed: Number(query['speed'] ?? 1), rateHz: Number(query['sample_rate'] ?? 24_000) };
    return { contentType: 'audio/l16', pieces: simulatedSpeech(String(body['text']), speech) };
  }

  protected override talk(request: SimulatedRequest, send: SendMessage): SimulatedTalk | null {
    const recogniser = new SimulatedRecogniser(request, this.#given);
    if (request.path === '/v1/listen') return novaTalk(recogniser, send);
    return request.path === '/v2/listen' ? fluxTalk(recogniser, send) : null;
  }
}

/** How often those who tell the words so far do it, milliseconds of sound. */
const UPDATE_EVERY_MS = 240;

/** All words of a socket up to here; `isPause` at the end of an utterance. */
interface SpokenSoFar {
  text: string;
  beginMs: number;
  endMs: number;
  isPause: boolean;
}

/** The sound that has come on one socket, and the words in it. */
export class SimulatedRecogniser {
  readonly #given: RecogniserSimulatorOptions;
  readonly #bytesPerMs: number;
  #bytes = 0;
  #utterance = 0;
  #beginMs = 0;
  #timelineAt = 0;

  constructor({ query }: SimulatedRequest, given: RecogniserSimulatorOptions) {
    this.#given = given;
    this.#bytesPerMs = (Number(query['sample_rate'] ?? 16_000) * 2) / 1000;
  }

  get isFollowingLevel(): boolean {
    return this.#given.isFollowingLevel ?? false;
  }

  get heardMs(): number {
    return this.#bytes / this.#bytesPerMs;
  }

  /** Takes sound, and sends what the timeline says. @returns the words so far, when it is time to tell them */
  hear(bytes: Buffer, send: SendMessage): SpokenSoFar | null {
    const beforeMs = this.heardMs;
    this.#bytes += bytes.length;
    const timeline = this.#given.timeline ?? [];
    for (; (timeline[this.#timelineAt]?.atMs ?? Infinity) <= this.heardMs; this.#timelineAt++)
      send(timeline[this.#timelineAt]?.message ?? {});
    const isTime = Math.floor(this.heardMs / UPDATE_EVERY_MS) > Math.floor(beforeMs / UPDATE_EVERY_MS);
    return isTime ? this.#soFar() : null;
  }

  #soFar(): SpokenSoFar | null {
    const { utteranceMs, utterances = [] } = this.#given;
    if (utteranceMs === undefined) return null;
    const said = utterances.flatMap((text, index) => {
      const spoken = text.split(' ');
      const eachMs = utteranceMs / spoken.length;
      return spoken.filter(
        (_word, place) => index * utteranceMs + (place + 1) * eachMs <= this.heardMs + 0.01,
      );
    });
    const isPause = this.heardMs % utteranceMs === 0;
    return { text: said.join(' '), beginMs: 0, endMs: this.heardMs, isPause };
  }

  /** The utterance from the last one's end to here; empty without sound. */
  next(): { text: string; beginMs: number; endMs: number } {
    const [beginMs, endMs] = [this.#beginMs, this.heardMs];
    this.#beginMs = endMs;
    const text = endMs > beginMs ? (this.#given.utterances?.[this.#utterance++] ?? '') : '';
    return { text, beginMs, endMs };
  }
}

function novaTalk(recogniser: SimulatedRecogniser, send: SendMessage): SimulatedTalk {
  return {
    sound: (bytes) => void recogniser.hear(bytes, send),
    message({ type }) {
      if (type === 'Finalize')
        send({ ...novaResults(recogniser.next()), is_final: true, from_finalize: true });
      if (type === 'CloseStream')
        send({ type: 'Metadata', request_id: 'simulated', duration: recogniser.heardMs / 1000 });
    },
  };
}

/** A `Results` message as it comes in the middle of a segment. */
export function novaResults(heard: {
  text: string;
  beginMs: number;
  endMs: number;
}): Record<string, unknown> {
  const { text, beginMs, endMs } = heard;
  return {
    type: 'Results',
    channel_index: [0, 1],
    start: beginMs / 1000,
    duration: (endMs - beginMs) / 1000,
    is_final: false,
    speech_final: false,
    channel: { alternatives: [{ transcript: text, confidence: 0.98, words: words(heard) }] },
    metadata: {
      request_id: 'simulated',
      model_uuid: 'simulated',
      model_info: { name: 'nova', version: '1', arch: 'nova' },
    },
  };
}

/** Words share the time of their utterance equally. */
function words({ text, beginMs, endMs }: { text: string; beginMs: number; endMs: number }) {
  const spoken = text === '' ? [] : text.split(' ');
  const eachMs = (endMs - beginMs) / spoken.length;
  return spoken.map((word, index) => ({
    word,
    start: (beginMs + index * eachMs) / 1000,
    end: (beginMs + (index + 1) * eachMs) / 1000,
    confidence: 0.98,
  }));
}

function fluxTalk(recogniser: SimulatedRecogniser, send: SendMessage): SimulatedTalk {
  const turns = new SimulatedTurns(recogniser, send);
  send({ type: 'Connected', request_id: 'simulated', sequence_id: 0 });
  return {
    sound(bytes) {
      const said = recogniser.hear(bytes, send);
      if (said) send(fluxTurn('Update', said));
      turns.hear(bytes);
    },
    message: ({ type }) => void (type === 'ForceEndTurn' && turns.end('manual')),
  };
}

/** Peak from which sound counts as speech: about -24 dB below full scale. */
const SPEECH_LEVEL = 2000;
const EAGER_AFTER_MS = 320;
const END_AFTER_MS = 560;

/** The turns of one socket, by the level of its sound: each period of speech is the next utterance. */
class SimulatedTurns {
  readonly #recogniser: SimulatedRecogniser;
  readonly #send: SendMessage;
  #turn = 0;
  #heard: { text: string; beginMs: number; endMs: number } | null = null;
  #lastSpeechMs = 0;
  #isEager = false;

  constructor(recogniser: SimulatedRecogniser, send: SendMessage) {
    this.#recogniser = recogniser;
    this.#send = send;
  }

  hear(bytes: Buffer): void {
    if (!this.#recogniser.isFollowingLevel) return;
    if (isLoud(bytes)) return this.#goOn();
    const quietMs = this.#recogniser.heardMs - this.#lastSpeechMs;
    if (this.#heard && quietMs >= END_AFTER_MS) return this.end('model');
    if (!this.#heard || this.#isEager || quietMs < EAGER_AFTER_MS) return;
    this.#isEager = true;
    this.#tell('EagerEndOfTurn');
  }

  /** @param trigger - who has ended it */
  end(trigger: 'manual' | 'model'): void {
    const heard = this.#heard ?? this.#recogniser.next();
    this.#send({ ...fluxTurn('EndOfTurn', heard, this.#turn++), trigger });
    this.#heard = null;
    this.#isEager = false;
  }

  #goOn(): void {
    this.#lastSpeechMs = this.#recogniser.heardMs;
    if (this.#isEager) this.#tell('TurnResumed');
    this.#isEager = false;
    if (this.#heard) return;
    this.#heard = this.#recogniser.next();
    this.#tell('StartOfTurn');
  }

  #tell(event: string): void {
    if (this.#heard)
      this.#send(fluxTurn(event, { ...this.#heard, endMs: this.#recogniser.heardMs }, this.#turn));
  }
}

function isLoud(bytes: Buffer): boolean {
  for (let at = 0; at + 1 < bytes.length; at += 2)
    if (Math.abs(bytes.readInt16LE(at)) >= SPEECH_LEVEL) return true;
  return false;
}

/** A `TurnInfo` message. */
export function fluxTurn(
  event: string,
  heard: { text: string; beginMs: number; endMs: number },
  turn = 0,
): Record<string, unknown> {
  return {
    type: 'TurnInfo',
    request_id: 'simulated',
    sequence_id: 1,
    event,
    turn_index: turn,
    audio_window_start: heard.beginMs / 1000,
    audio_window_end: heard.endMs / 1000,
    transcript: heard.text,
    words: words(heard),
    end_of_turn_confidence: 0.8,
  };
}
