/** The usual ports of language model servers on the same machine, and the format of their answers. */
import { z } from 'zod';

/** A program that serves models on this machine. */
export interface LocalServer {
  name: string;
  port: number;
}

/** Default ports according to each program's documentation. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vLLM', port: 8000 },
];

/** The longest name of a model that an assistant accepts. */
const LONGEST_NAME = 100;
const MOST_MODELS = 50;

/** `task` is an addition of Speaches, which has no language models. */
const modelList = z.object({
  data: z.array(z.object({ id: z.string().min(1), task: z.string().optional() })),
});
/** Names of models that transcribe or speak, of servers whose lists do not say so. */
const SPEECH_MODEL = /whisper|kokoro|piper|parakeet|^tts-/i;
const SPEECH_TASKS: readonly (string | undefined)[] = ['automatic-speech-recognition', 'text-to-speech'];

/** A model of such a program. */
export interface LocalModel {
  name: string;
  wireName: string;
  purpose: 'conversation' | 'embedding';
}

/** The lists do not say what a model is for. Names of embedding models contain the word, except for those of two families. */
function purposeOf(id: string): LocalModel['purpose'] {
  return /embed|\bbge-|\be5-/i.test(id) ? 'embedding' : 'conversation';
}

/** The label of the provider in lists. */
export function labelOf({ name }: LocalServer): string {
  return `${name} (found on this machine)`;
}

/**
 * The models in an answer to `GET /v1/models`. Models for speech are left out: they answer no conversation.
 *
 * @returns null for any other answer, because another program listens on this port
 */
export function readModels(body: string, { name }: LocalServer): LocalModel[] | null {
  const answer = modelList.safeParse(parsed(body));
  if (!answer.success) return null;
  const texts = answer.data.data.filter(
    ({ id, task }) => !SPEECH_TASKS.includes(task) && !SPEECH_MODEL.test(id),
  );
  const ids = [...new Set(texts.map(({ id }) => id))];
  return ids
    .map((id) => ({ name: `${id} (${name} on this machine)`, wireName: id, purpose: purposeOf(id) }))
    .filter((model) => model.name.length <= LONGEST_NAME)
    .slice(0, MOST_MODELS);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
