/** Asks one server on this machine what it can do. Requests change nothing there. */
import type { GuardedClient } from '@parley/runtime/guarded-http';
import type { ListedOffer } from '../providers/provider-lists.ts';
import { foundNote, PIPER_NOTE } from './found-note.rules.ts';
import { parsed, PIPER, readModels, type ListedModel, type LocalServer } from './local-servers.ts';
import { readVoices, voicesOfModels } from './local-voices.ts';

/** What a server can do. */
export interface FoundServer {
  /** Name of the program. */
  program: string;
  models: ListedOffer[];
  /** Null: it did not say, so that what is known of it stays. */
  voices: ListedOffer[] | null;
  /** Names of models that transcribe; the first one is used. Null: it did not say. */
  transcriptionModels: string[] | null;
  convertsSampleRate: boolean;
  note: string;
}

/** Statuses of servers that do not have an endpoint. An existing one refuses an empty request otherwise. */
const ABSENT: readonly number[] = [404, 405, 501];

/** Up to the version of the protocol. */
export function baseUrlOf({ port }: LocalServer): string {
  return `http://127.0.0.1:${port}/v1`;
}

/** @returns null if no server of models answers */
export async function askServer(client: GuardedClient, server: LocalServer): Promise<FoundServer | null> {
  const baseUrl = baseUrlOf(server);
  const listed = readModels((await get(client, `${baseUrl}/models`)) ?? '', server);
  if (!listed) return server.name === PIPER ? askPiper(client, baseUrl) : null;
  const { program, models, speech, transcription } = listed;
  const voices = await findVoices(client, baseUrl, speech);
  const transcriptionModels = await findTranscription(client, baseUrl, transcription);
  const note = foundNote({
    hasModels: models.length > 0,
    transcription: transcription.map(({ id }) => id),
    transcriptionModels,
    speech: speech.map(({ id }) => id),
    withVoices: voices && modelsOf(voices, speech),
  });
  const convertsSampleRate = speech.some(({ sample_rate: rate }) => rate !== undefined);
  return { program, models, voices, transcriptionModels, convertsSampleRate, note };
}

/** Names of the models that have voices. A list for the whole server is that of all its models. */
function modelsOf(voices: readonly ListedOffer[], speech: readonly ListedModel[]): string[] {
  const isOfServer = voices.length > 0 && speech.every((model) => model.voices === undefined);
  return isOfServer
    ? speech.map(({ id }) => id)
    : [...new Set(voices.map(({ wireName }) => wireName.replace(/^[^@]*@/, '')))];
}

async function findVoices(
  client: GuardedClient,
  baseUrl: string,
  speech: readonly ListedModel[],
): Promise<ListedOffer[] | null> {
  if (speech.length === 0) return [];
  const listed = voicesOfModels(speech);
  if (listed.length > 0) return listed;
  const body = await get(client, `${baseUrl}/audio/voices`);
  return body === null ? null : readVoices(body, speech);
}

/** Speaches names the task of a model. Other names are a guess, so that the server is asked whether it transcribes. */
async function findTranscription(
  client: GuardedClient,
  baseUrl: string,
  models: readonly ListedModel[],
): Promise<string[] | null> {
  // Models of English only come last, because a call in another language may need this one.
  const ids = models
    .map(({ id }) => id)
    .toSorted((a, b) => Number(isEnglishOnly(a)) - Number(isEnglishOnly(b)));
  if (ids.length === 0 || models.some(({ task }) => task !== undefined)) return ids;
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const outcome = await client.send({ url: `${baseUrl}/audio/transcriptions`, headers, body: '{}' });
  if ('error' in outcome) return null;
  return ABSENT.includes(outcome.status) ? [] : ids;
}

function isEnglishOnly(id: string): boolean {
  return /\.en\b/i.test(id);
}

/** Asks a Piper server: `GET /voices` returns an object with the description of each voice, which contains its sample rate. */
async function askPiper(client: GuardedClient, baseUrl: string): Promise<FoundServer | null> {
  const body = await get(client, baseUrl.replace(/v1$/, 'voices'));
  const voices = Object.values(parsed(body ?? '') ?? {});
  if (!voices.some((voice) => typeof voice === 'object' && voice !== null && 'audio' in voice)) return null;
  return {
    program: PIPER,
    models: [],
    voices: [],
    transcriptionModels: [],
    convertsSampleRate: false,
    note: PIPER_NOTE,
  };
}

/** @returns the body; empty for a refusal, null without an answer or for one that may be another later */
async function get(client: GuardedClient, url: string): Promise<string | null> {
  const outcome = await client.send({ method: 'GET', url, headers: { accept: 'application/json' } });
  if ('error' in outcome || outcome.status >= 500) return null;
  return outcome.status === 200 ? outcome.body : '';
}
