/** The usual ports of servers of models and speech on the same machine, and the format of their lists of models. */
import { z } from 'zod';
import type { ListedOffer } from '../providers/provider-lists.ts';

/** A program that serves models on this machine. */
export interface LocalServer {
  name: string;
  port: number;
  /** Usually serves language models; another program listens here if it has none. */
  isForLanguage?: boolean;
}

/** The HTTP server of Piper, which has a protocol of its own. */
export const PIPER = 'Piper';

/** Default ports according to each program's documentation. Speaches and other servers of speech share that of vLLM. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { name: 'Ollama', port: 11_434, isForLanguage: true },
  { name: 'LM Studio', port: 1234, isForLanguage: true },
  { name: 'llama.cpp', port: 8080, isForLanguage: true },
  { name: 'vLLM', port: 8000, isForLanguage: true },
  { name: 'Kokoro-FastAPI', port: 8880 },
  { name: PIPER, port: 5000 },
];

/** Servers at chosen ports. One at a port of the list above has its name. */
export function serversAt(ports: readonly number[]): LocalServer[] {
  return ports.map(
    (port) =>
      LOCAL_SERVERS.find((one) => one.port === port) ?? { name: `Port ${port}`, port, isForLanguage: true },
  );
}

/** The longest name of a model that an assistant accepts. */
const LONGEST_NAME = 100;
const LONGEST_WIRE_NAME = 255;
const MOST_MODELS = 50;

/** `task`, `voices` and `sample_rate` are additions of Speaches. What has another form than here says nothing. */
const listedModel = z.object({
  id: z.string().min(1).max(LONGEST_WIRE_NAME),
  task: z.string().optional().catch(undefined),
  voices: z.array(z.unknown()).optional().catch(undefined),
  sample_rate: z.number().optional().catch(undefined),
});
const modelList = z.object({ data: z.array(listedModel) });
/** An entry of a server's list. */
export type ListedModel = z.output<typeof listedModel>;

/** What a server lists, by what it is for. */
export interface LocalModels {
  /** Name of the program. */
  program: string;
  /** For conversations and embeddings. */
  models: ListedOffer[];
  /** Those that transcribe. */
  transcription: ListedModel[];
  /** Those that speak. */
  speech: ListedModel[];
}

const TRANSCRIBES = 'automatic-speech-recognition';
const SPEAKS = 'text-to-speech';
/** Names of models of servers whose lists do not say what a model is for. */
const TRANSCRIBES_BY_NAME = /whisper|parakeet/i;
const SPEAKS_BY_NAME = /kokoro|piper|\btts-/i;

/** Other tasks of Speaches: neither a conversation nor something that a call uses. */
const SPEECH_TASKS = /speaker|voice-activity|speech/;

function purposeOf({
  id,
  task,
}: ListedModel): 'transcription' | 'speech' | 'conversation' | 'embedding' | null {
  if (task === TRANSCRIBES) return 'transcription';
  if (task === SPEAKS) return 'speech';
  if (task !== undefined && SPEECH_TASKS.test(task)) return null;
  if (TRANSCRIBES_BY_NAME.test(id)) return 'transcription';
  if (SPEAKS_BY_NAME.test(id)) return 'speech';
  // Names of embedding models contain the word, except for those of two families.
  return /embed|\bbge-|\be5-/i.test(id) ? 'embedding' : 'conversation';
}

/** The label of the provider in lists. */
export function labelOf(program: string): string {
  return `${program} (found on this machine)`;
}

/** @returns null for any other answer to `GET /v1/models`, because another program listens on this port */
export function readModels(body: string, server: LocalServer): LocalModels | null {
  const answer = modelList.safeParse(parsed(body));
  if (!answer.success || answer.data.data.length === 0) return null;
  const all = [...new Map(answer.data.data.map((model) => [model.id, model])).values()];
  const of = (purpose: ReturnType<typeof purposeOf>) => all.filter((model) => purposeOf(model) === purpose);
  const [transcription, speech] = [of('transcription'), of('speech')];
  const program = programOf(all, server);
  const models = (['conversation', 'embedding'] as const).flatMap((purpose) =>
    of(purpose).map(({ id }) => ({ name: `${id} (${program} on this machine)`, wireName: id, purpose })),
  );
  return {
    program,
    models: models.filter(({ name }) => name.length <= LONGEST_NAME).slice(0, MOST_MODELS),
    transcription,
    speech,
  };
}

/** Servers of speech run on ports that are the default of others. */
function programOf(all: readonly ListedModel[], { name, isForLanguage = false }: LocalServer): string {
  const isForSpeech = all.every((model) => ['transcription', 'speech', null].includes(purposeOf(model)));
  if (!isForSpeech) return name;
  if (all.some(({ task }) => task === TRANSCRIBES || task === SPEAKS)) return 'Speaches';
  return isForLanguage ? 'Speech server' : name;
}

/** @returns null for what is not JSON */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
