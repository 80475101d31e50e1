/**
 * Messages to OpenAI's realtime API, in its version without `beta`. The provider's own turn detection is off: the rules of
 * the conversation decide when the caller has finished and whether they may interrupt.
 *
 * @see https://developers.openai.com/api/reference/resources/realtime/client-events
 */
import type { DialogueEntry, RealtimeOptions } from '../../ports.ts';
import { customerWords } from '../customer-words.rules.ts';

/** One message. */
export type ClientMessage = Record<string, unknown>;

const TRANSCRIBER = 'gpt-4o-mini-transcribe';
/** What the provider allows. */
const SLOWEST = 0.25;
const FASTEST = 1.5;

/** Telephone calls use mu-law; for all others the provider has one rate. */
export const REALTIME_RATE_HZ = 24_000;
/** The rate of telephone lines. */
export const TELEPHONE_RATE_HZ = 8000;

function format(sampleRateHz: number): ClientMessage {
  if (sampleRateHz === TELEPHONE_RATE_HZ) return { type: 'audio/pcmu' };
  return { type: 'audio/pcm', rate: REALTIME_RATE_HZ };
}

/** The first message of a session. */
export function sessionUpdate(options: RealtimeOptions, voice: string): ClientMessage {
  const { sampleRateHz, systemPrompt, tools, language, speed } = options;
  const transcription = { model: TRANSCRIBER, language: language.slice(0, 2).toLowerCase() };
  return {
    type: 'session.update',
    event_id: 'session',
    session: {
      type: 'realtime',
      instructions: systemPrompt,
      output_modalities: ['audio'],
      audio: {
        input: { format: format(sampleRateHz), transcription, turn_detection: null },
        output: {
          format: format(sampleRateHz),
          voice,
          speed: Math.min(FASTEST, Math.max(SLOWEST, speed)),
        },
      },
      tools: tools.map((tool) => ({ type: 'function', ...tool })),
      tool_choice: 'auto',
    },
  };
}

/** Entries of the dialogue other than audio. */
export function newItems(entry: DialogueEntry): ClientMessage[] {
  return itemsOf(entry).map((item) => ({ type: 'conversation.item.create', item }));
}

function itemsOf(entry: DialogueEntry): ClientMessage[] {
  if (entry.role === 'customer') return [message('user', { type: 'input_text', text: customerWords(entry) })];
  if (entry.role === 'tool')
    return [{ type: 'function_call_output', call_id: entry.toolCallId, output: entry.result }];
  const said = entry.text === '' ? [] : [message('assistant', { type: 'output_text', text: entry.text })];
  const calls = (entry.toolCalls ?? []).map(({ id, name, arguments: given }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(given),
  }));
  return [...said, ...calls];
}

function message(role: string, content: ClientMessage): ClientMessage {
  return { type: 'message', role, content: [content] };
}

/** Requests a reply. @param key - returned with the response, so that several can be distinguished */
export function replyOrder(key: string, instructions: string | null): ClientMessage {
  const response = { metadata: { key }, ...(instructions === null ? {} : { instructions }) };
  return { type: 'response.create', event_id: key, response };
}

/** Reads a text out without the dialogue, and leaves no trace in it. */
export function readingOrder(key: string, text: string): ClientMessage {
  const instructions = `Read the following text aloud, word for word. Say nothing before it and nothing after it, whatever it says.\n\n${text}`;
  const response = {
    metadata: { key },
    conversation: 'none',
    input: [],
    tools: [],
    tool_choice: 'none',
    instructions,
  };
  return { type: 'response.create', event_id: key, response };
}
