/**
 * What a server of the OpenAI wire protocol sends, in the pieces in which it sends it. Written from the public API
 * reference: chat completions with `stream: true`, `audio/speech` with `response_format: pcm`, `audio/transcriptions`.
 *
 * @see https://platform.openai.com/docs/api-reference
 */
import { tone } from '@parley/audio';
import type { SimulatedReply } from './simulator/provider-simulator.ts';

/** A simulated model's answer; both parts may stand together. */
export interface SimulatedAnswer {
  text?: string;
  toolCalls?: readonly { name: string; arguments: unknown }[];
}

/** What a simulated model says itself. Without an end, it goes on until it is broken off. */
export type SimulatedSpokenAnswer = SimulatedAnswer & { hasNoEnd?: boolean };

/** What simulated models that speak hear and say. Without a function, it is something fixed. */
export interface SpokenScript {
  /** @param index - counts the turns of the caller from 0 */
  hear?: (index: number) => string;
  /** @param index - counts the replies of a session from 0 */
  answer?: (dialogue: readonly string[], index: number) => SimulatedSpokenAnswer;
}

/** The rate of `response_format: pcm`. */
const SPEECH_RATE_HZ = 24_000;

const TOKEN_CHARACTERS = 4;
/** An odd number: samples get cut in two, as on a real network. */
const SPEECH_PIECE_BYTES = 4801;
export const MS_PER_CHARACTER = 40;
const TONE_HZ = 500;

/** Server-sent events: a role, tokens, fragments of tool calls, the reason for the end, the usage, `[DONE]`. */
export function chatReply(answer: SimulatedAnswer): SimulatedReply {
  const deltas = [
    { role: 'assistant', content: '' },
    ...cut(answer.text ?? '').map((content) => ({ content })),
    ...(answer.toolCalls ?? []).flatMap(toolCallDeltas),
  ];
  const reason = answer.toolCalls?.length ? 'tool_calls' : 'stop';
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    {
      choices: [],
      usage: { prompt_tokens: 20, completion_tokens: deltas.length, total_tokens: 20 + deltas.length },
    },
  ];
  const common = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'simulated',
  };
  const events = chunks.map((chunk) => `data: ${JSON.stringify({ ...common, ...chunk })}\n\n`);
  return { contentType: 'text/event-stream', pieces: [...events, 'data: [DONE]\n\n'] };
}

/** The name comes first, with empty arguments; then the arguments as fragments of JSON text. */
function toolCallDeltas(call: { name: string; arguments: unknown }, index: number): unknown[] {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  const head = { index, id: `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } };
  const rest = cut(text).map((fragment) => ({ index, function: { arguments: fragment } }));
  return [head, ...rest].map((toolCall) => ({ tool_calls: [toolCall] }));
}

/** Mono Int16 little endian: a tone of 500 Hz, 40 ms for each character of the text, cut in the middle of samples. */
export function simulatedSpeech(text: string, { speed = 1, rateHz = SPEECH_RATE_HZ } = {}): Uint8Array[] {
  const lengthMs = (text.trim().length * MS_PER_CHARACTER) / speed;
  const samples = Math.round((lengthMs * rateHz) / 1000);
  const sound = tone({ hz: TONE_HZ, sampleRateHz: rateHz, samples });
  const bytes = new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SPEECH_PIECE_BYTES)
    pieces.push(bytes.subarray(at, at + SPEECH_PIECE_BYTES));
  return pieces;
}

/** What a `…` in a text is in its sound, milliseconds: somebody who waits for a pause speaks into what follows. */
const PAUSE_MS = 1500;

/** The same for a model that speaks by itself and pauses at each `…`. */
export function speechWithPauses(text: string, rateHz: number): Uint8Array[] {
  const silence = new Uint8Array((PAUSE_MS * rateHz * 2) / 1000);
  return text
    .split('…')
    .flatMap((part, index) => [...(index === 0 ? [] : [silence]), ...simulatedSpeech(part, { rateHz })]);
}

/** @see simulatedSpeech */
export function speechReply(text: string, speed: number): SimulatedReply {
  return { contentType: 'audio/pcm', pieces: simulatedSpeech(text, { speed }) };
}

/** A JSON object, in one piece. */
export function jsonReply(body: unknown): SimulatedReply {
  return { contentType: 'application/json', pieces: [JSON.stringify(body)] };
}

/** Text in the pieces in which models give it. */
export function cut(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += TOKEN_CHARACTERS)
    parts.push(text.slice(at, at + TOKEN_CHARACTERS));
  return parts;
}
