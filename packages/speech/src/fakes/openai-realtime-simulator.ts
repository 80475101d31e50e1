/**
 * A server that speaks OpenAI's realtime interface. Written from the public reference: one dialogue for each socket, to
 * which sound and texts are added and which replies answer. As strict as the real one where a client can go wrong:
 * commits of nothing, truncations beyond the sound, cancelled responses that are none, two replies at once.
 *
 * @see https://developers.openai.com/api/reference/resources/realtime/server-events
 */
import { encodeG711 } from '@parley/audio';
import {
  cut,
  jsonReply,
  speechWithPauses,
  type SimulatedSpokenAnswer,
  type SpokenScript,
} from './openai-wire.ts';
import {
  ProviderSimulator,
  type SendMessage,
  type SimulatedReply,
  type SimulatedTalk,
  type SimulatorOptions,
} from './simulator/provider-simulator.ts';
import type { SimulatedRequest } from './simulator/simulated-request.ts';

/** @see SpokenScript */
export type OpenAiRealtimeSimulatorOptions = SimulatorOptions & SpokenScript;

/** Refuses sockets without a model. */
export class OpenAiRealtimeSimulator extends ProviderSimulator {
  /** The dialogues of all sockets so far, as the model has them. */
  readonly dialogues: string[][] = [];
  readonly #given: OpenAiRealtimeSimulatorOptions;

  constructor(options: OpenAiRealtimeSimulatorOptions) {
    super(options);
    this.#given = options;
  }

  /** Where clients find it, as providers write it: up to `/v1`. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** What it offers: a model that speaks, and one that only writes. */
  protected reply({ path }: SimulatedRequest): SimulatedReply | null {
    if (path !== '/v1/models') return null;
    return jsonReply({ object: 'list', data: [{ id: 'gpt-realtime' }, { id: 'gpt-4o-mini' }] });
  }

  protected override talk(request: SimulatedRequest, send: SendMessage): SimulatedTalk | null {
    if (request.path !== '/v1/realtime' || !request.query['model']) return null;
    const dialogue: string[] = [];
    this.dialogues.push(dialogue);
    const session = new SimulatedSession(this.#given, dialogue, send);
    send({ type: 'session.created', session: { type: 'realtime', model: request.query['model'] } });
    return { message: (message) => session.received(message) };
  }
}

interface Said {
  place: number;
  text: string;
  lengthMs: number;
}
type Fields = Record<string, unknown>;

class SimulatedSession {
  readonly #given: OpenAiRealtimeSimulatorOptions;
  readonly #dialogue: string[];
  readonly #send: SendMessage;
  /** What the model said, by item. */
  readonly #said = new Map<string, Said>();
  #isMuLaw = false;
  #bufferedMs = 0;
  /** A response to the dialogue that has no end. */
  #endless: Fields | null = null;
  #commits = 0;
  #replies = 0;
  #ids = 0;

  constructor(given: OpenAiRealtimeSimulatorOptions, dialogue: string[], send: SendMessage) {
    this.#given = given;
    this.#dialogue = dialogue;
    this.#send = send;
  }

  received(message: Fields): void {
    switch (message['type']) {
      case 'session.update':
        return this.#update(message);
      case 'input_audio_buffer.append':
        return this.#append(String(message['audio']));
      case 'input_audio_buffer.commit':
        return this.#commit(message);
      case 'conversation.item.create':
        return this.#add(message['item'] as Fields);
      case 'conversation.item.truncate':
        return this.#truncate(message);
      case 'response.create':
        return this.#respond(message);
      case 'response.cancel':
        return this.#cancel(message);
      default:
        return this.#refuse(message, `Invalid value: '${String(message['type'])}'`);
    }
  }

  #update(message: Fields): void {
    const session = message['session'] as {
      audio: { input: { format: { type: string } }; output: { voice: string } };
    };
    if (session.audio.output.voice === 'missing') return this.#refuse(message, "Invalid value: 'missing'");
    this.#isMuLaw = session.audio.input.format.type === 'audio/pcmu';
    this.#send({ type: 'session.updated', session });
  }

  #append(base64: string): void {
    this.#bufferedMs += Buffer.from(base64, 'base64').length / (this.#isMuLaw ? 8 : 48);
  }

  #commit(message: Fields): void {
    if (this.#bufferedMs < 100)
      return this.#refuse(message, 'Error committing input audio buffer: buffer too small');
    this.#bufferedMs = 0;
    const item = this.#newId('item');
    const transcript = this.#given.hear?.(this.#commits++) ?? 'hello';
    this.#dialogue.push(`user: (sound) ${transcript}`);
    this.#send({ type: 'input_audio_buffer.committed', item_id: item, previous_item_id: null });
    const about = 'conversation.item.input_audio_transcription';
    this.#send({ type: `${about}.completed`, item_id: item, content_index: 0, transcript });
  }

  #add(item: Fields): void {
    const { type, role, content, output, name } = item as {
      type: string;
      role?: string;
      content?: { text: string }[];
      output?: string;
      name?: string;
    };
    if (type === 'message') this.#dialogue.push(`${role}: ${content?.[0]?.text}`);
    if (type === 'function_call') this.#dialogue.push(`call: ${name}`);
    if (type === 'function_call_output') this.#dialogue.push(`result: ${output}`);
  }

  #truncate(message: Fields): void {
    const heardMs = Number(message['audio_end_ms']);
    const said = this.#said.get(String(message['item_id']));
    if (!said) return this.#refuse(message, 'Item does not exist');
    if (heardMs > said.lengthMs) return this.#refuse(message, 'Audio content is already shorter');
    this.#dialogue[said.place] = `assistant: (${heardMs} ms of) ${said.text}`;
    this.#send({ ...message, type: 'conversation.item.truncated' });
  }

  #respond(message: Fields): void {
    const id = this.#newId('resp');
    const { conversation, instructions, metadata } = message['response'] as {
      conversation?: string;
      instructions?: string;
      metadata?: Fields;
    };
    const response = { id, object: 'realtime.response', metadata };
    const isBeside = conversation === 'none';
    if (this.#endless && !isBeside)
      return this.#refuse(message, 'Conversation already has an active response in progress');
    this.#send({ type: 'response.created', response: { ...response, status: 'in_progress' } });
    const answer: SimulatedSpokenAnswer = isBeside
      ? { text: instructions?.split('\n\n').at(-1) ?? '' }
      : (this.#given.answer?.(this.#dialogue, this.#replies++) ?? { text: 'How can I help you?' });
    if (answer.text) this.#say(id, answer.text, isBeside);
    for (const call of answer.toolCalls ?? []) this.#call(id, call);
    if (answer.hasNoEnd) this.#endless = response;
    else this.#send({ type: 'response.done', response: { ...response, status: 'completed', usage: USAGE } });
  }

  #cancel(message: Fields): void {
    const response = this.#endless;
    if (response?.['id'] !== message['response_id'])
      return this.#refuse(message, 'Cancellation failed: no active response found');
    this.#endless = null;
    this.#send({ type: 'response.done', response: { ...response, status: 'cancelled', usage: USAGE } });
  }

  #say(responseId: string, text: string, isBeside: boolean): void {
    const common = {
      response_id: responseId,
      item_id: this.#newId('item'),
      output_index: 0,
      content_index: 0,
    };
    const rateHz = this.#isMuLaw ? 8000 : 24_000;
    const pieces = speechWithPauses(text, rateHz);
    const samples = pieces.reduce((sum, piece) => sum + piece.length, 0) / 2;
    if (!isBeside) {
      const said = { place: this.#dialogue.length, text, lengthMs: (samples * 1000) / rateHz };
      this.#said.set(common.item_id, said);
      this.#dialogue.push(`assistant: ${text}`);
    }
    for (const delta of cut(text))
      this.#send({ ...common, type: 'response.output_audio_transcript.delta', delta });
    for (const delta of this.#coded(pieces))
      this.#send({ ...common, type: 'response.output_audio.delta', delta });
  }

  #coded(pieces: readonly Uint8Array[]): string[] {
    if (!this.#isMuLaw) return pieces.map((piece) => Buffer.from(piece).toString('base64'));
    const bytes = Buffer.concat(pieces);
    const samples = Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
    const octets = new Uint8Array(samples.length);
    encodeG711('PCMU', samples, octets);
    return [octets.subarray(0, 2000), octets.subarray(2000)].map((part) =>
      Buffer.from(part).toString('base64'),
    );
  }

  #call(responseId: string, { name, arguments: given }: { name: string; arguments: unknown }): void {
    const item = {
      id: this.#newId('item'),
      type: 'function_call',
      call_id: this.#newId('call'),
      name,
      arguments: JSON.stringify(given),
    };
    this.#dialogue.push(`call: ${name}`);
    this.#send({ type: 'response.output_item.done', response_id: responseId, output_index: 0, item });
  }

  #refuse(message: Fields, text: string): void {
    const error = {
      type: 'invalid_request_error',
      code: 'invalid_value',
      message: text,
      event_id: message['event_id'],
    };
    this.#send({ type: 'error', error });
  }

  #newId(what: string): string {
    this.#ids += 1;
    return `${what}_${this.#ids}`;
  }
}

/** The usage of each response: 20 tokens in, of which 12 are sound and 4 from a cache, and 10 of sound out. */
const USAGE = {
  input_tokens: 20,
  output_tokens: 10,
  total_tokens: 30,
  input_token_details: { text_tokens: 8, audio_tokens: 12, cached_tokens: 4 },
  output_token_details: { text_tokens: 0, audio_tokens: 10 },
};
