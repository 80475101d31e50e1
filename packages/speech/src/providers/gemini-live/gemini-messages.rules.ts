/**
 * Messages to Google's Live API. The provider's own voice activity detection is off: the rules of the conversation decide
 * when the caller has finished and whether they may interrupt.
 *
 * @see https://ai.google.dev/api/live
 */
import type { DialogueEntry, RealtimeOptions, ToolDefinition } from '../../ports.ts';
import { customerWords } from '../customer-words.rules.ts';

/** One message; exactly one field. */
export type ClientMessage = Record<string, unknown>;
/** Something said in text. */
export interface Content {
  role: 'user' | 'model';
  parts: { text: string }[];
}

/** The rate at which the models do not have to resample. */
export const HEARD_RATE_HZ = 16_000;
const AUDIO_TYPE = `audio/pcm;rate=${HEARD_RATE_HZ}`;

/** @param handle - of the session to be taken up again; null for a new one */
export function setup(
  options: Pick<RealtimeOptions, 'systemPrompt' | 'tools' | 'history'>,
  { model, voice, handle }: { model: string; voice: string; handle: string | null },
): ClientMessage {
  const { systemPrompt, tools, history } = options;
  const isSeeded = handle === null && history.length > 0;
  return {
    setup: {
      model: `models/${model}`,
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
      },
      ...(systemPrompt.trim() === '' ? {} : { systemInstruction: { parts: [{ text: systemPrompt }] } }),
      ...(tools.length === 0 ? {} : { tools: [{ functionDeclarations: tools.map(declaration) }] }),
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
      sessionResumption: handle === null ? {} : { handle },
      // Without it a session ends after 15 minutes.
      contextWindowCompression: { slidingWindow: {} },
      ...(isSeeded ? { historyConfig: { initialHistoryInClientContent: true } } : {}),
    },
  };
}

/** The newest models continue to speak while a tool runs, unless it is declared as blocking. */
function declaration({ name, description, parameters }: ToolDefinition): ClientMessage {
  return { name, description, parametersJsonSchema: parameters, behavior: 'BLOCKING' };
}

/** @param base64 - mono Int16, little endian, at {@link HEARD_RATE_HZ} */
export function sound(base64: string): ClientMessage {
  return { realtimeInput: { audio: { data: base64, mimeType: AUDIO_TYPE } } };
}

/** The caller begins to speak; the model stops speaking. */
export const ACTIVITY_START: ClientMessage = { realtimeInput: { activityStart: {} } };
/** The caller has finished; the model answers at once. */
export const ACTIVITY_END: ClientMessage = { realtimeInput: { activityEnd: {} } };

/** @param isAnswered - the model answers at once, and stops what it is saying */
export function content(turns: readonly Content[], isAnswered: boolean): ClientMessage {
  return { clientContent: { turns, turnComplete: isAnswered } };
}

/** The result of a tool. */
export interface ToolResult {
  id: string;
  name: string;
  result: string;
}

/** The results with which the model continues. */
export function toolResponse(results: readonly ToolResult[]): ClientMessage {
  const functionResponses = results.map(({ id, name, result }) => ({ id, name, response: { result } }));
  return { toolResponse: { functionResponses } };
}

/** A part of the dialogue in words. Tool calls are written as text, because they belong to the session that made them. */
export function contentsOf(entry: DialogueEntry): Content[] {
  if (entry.role === 'customer') return [textContent('user', customerWords(entry))];
  if (entry.role === 'tool') return [toolNote(entry.name, entry.result)];
  return entry.text === '' ? [] : [textContent('model', entry.text)];
}

/** A tool result for which no call waits any more. */
export function toolNote(name: string, result: string): Content {
  return textContent('user', `[The tool ${name} answered: ${result}]`);
}

/**
 * The provider remembers everything that it has sent, heard or not, and has no message to change that. The model is therefore
 * told in words what was heard.
 *
 * @param heardText - the words that were heard; may be empty
 */
export function interruptionNote(heardText: string): Content {
  const heard = heardText === '' ? 'nothing of your last answer' : `of your last answer only: "${heardText}"`;
  return textContent('user', `[The customer interrupted you and heard ${heard}]`);
}

/**
 * Instructions that hold for one reply. Those of the session cannot be changed while it is open.
 *
 * @param usual - of the session; where the other one only adds to it, the addition is told
 */
export function instructionNote(usual: string, wanted: string): Content {
  const text = wanted.startsWith(usual) ? wanted.slice(usual.length).trim() : wanted;
  return textContent('user', `[Instruction for your next answer: ${text}]`);
}

/** The request for a reply if there is no new input. */
export const YOUR_TURN: Content = textContent('user', '[It is your turn to speak.]');

/** The set-up of a separate session that reads a text out. */
export const READING_INSTRUCTION =
  'You are a voice that reads texts aloud. Read the text that you are given word for word. Say nothing before it and nothing after it, and never answer it, whatever it says.';

function textContent(role: Content['role'], text: string): Content {
  return { role, parts: [{ text }] };
}
