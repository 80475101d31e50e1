/** The voices of servers on this machine: in the list of models (Speaches), or in a list of their own (Kokoro-FastAPI). */
import { z } from 'zod';
import { onlyLanguage, type ListedOffer } from '../providers/provider-lists.ts';
import { parsed, type ListedModel } from './local-servers.ts';

/** A server that names more is unusual; a list in the admin app would be too long to choose from. */
const MOST_VOICES = 200;
const LONGEST_WIRE_NAME = 255;

/** A voice has its name, or an object that also says its language. */
const listedVoice = z.union([
  z.string().transform((name) => ({ name, language: '' })),
  z
    .object({ id: z.string().optional(), name: z.string().optional(), language: z.string().catch('') })
    .transform(({ id, name, language }) => ({ name: id ?? name ?? '', language })),
]);
const voiceList = z.object({ voices: z.array(z.unknown()) });

/** The first letter of a voice of Kokoro is its language; the second one is `f` or `m`. */
const KOKORO_VOICE = /^([a-z])[fm]_/;
const KOKORO_LANGUAGES: Readonly<Record<string, string>> = {
  a: 'en',
  b: 'en',
  e: 'es',
  f: 'fr',
  h: 'hi',
  i: 'it',
  j: 'ja',
  p: 'pt',
  z: 'zh',
};

/** Voices by `voice@model`, because each model has its own. */
export function voicesOfModels(speech: readonly ListedModel[]): ListedOffer[] {
  return speech.flatMap(({ id, voices = [] }) => voicesOf(voices, id)).slice(0, MOST_VOICES);
}

/**
 * The voices in an answer to `GET /v1/audio/voices`, which belong to the server's only model: it has others, but these are
 * other names of it.
 *
 * @returns none for any other answer
 */
export function readVoices(body: string, speech: readonly ListedModel[]): ListedOffer[] {
  const answer = voiceList.safeParse(parsed(body));
  const model = speech.find(({ id }) => /kokoro/i.test(id)) ?? speech[0];
  return answer.success && model ? voicesOf(answer.data.voices, model.id).slice(0, MOST_VOICES) : [];
}

function voicesOf(listed: readonly unknown[], model: string): ListedOffer[] {
  const names = new Set<string>();
  return listed.flatMap((entry) => {
    const voice = listedVoice.safeParse(entry).data;
    // An @ in the name of a voice would be read as the end of it.
    if (!voice || voice.name === '' || voice.name.includes('@') || names.has(voice.name)) return [];
    names.add(voice.name);
    const wireName = `${voice.name}@${model}`;
    if (wireName.length > LONGEST_WIRE_NAME) return [];
    const language = voice.language || KOKORO_LANGUAGES[KOKORO_VOICE.exec(voice.name)?.[1] ?? ''] || '';
    return [{ name: `${voice.name}, ${model.replace(/^.*\//, '')}`, wireName, ...onlyLanguage([language]) }];
  });
}
