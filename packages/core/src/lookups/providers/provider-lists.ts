/**
 * Reads the pages of the lists of providers. Each schema contains only the fields that we use. An entry without them is
 * left out, so that one malformed voice does not invalidate a list.
 */
import type { LlmModelRow, VoiceRow } from '@parley/db';
import { z } from 'zod';
import {
  GEMINI_LIVE_VOICES,
  OPENAI_REALTIME_VOICES,
  PROVIDER_KINDS,
  type RemoteKind,
} from './provider-kinds.rules.ts';

/** `name` is the provider's own and may be ambiguous; `wireName` is unique. */
export interface ListedOffer {
  name: string;
  wireName: string;
  /** The mode of a voice; default `pipeline`. */
  mode?: VoiceRow['mode'] | undefined;
  /** The language of a voice that speaks only one: ISO 639-1. */
  language?: string | undefined;
  /** The purpose of a model; default `conversation`. */
  purpose?: LlmModelRow['purpose'] | undefined;
}
/** One page of the lists of a provider. */
export interface ListedPage {
  voices: ListedOffer[];
  models: ListedOffer[];
  /** Path and query of the next page; null after the last one. */
  next: string | null;
}

const elevenLabsVoice = z
  .object({ voice_id: z.string(), name: z.string() })
  .transform(({ voice_id: wireName, name }) => ({ wireName, name }));
const cartesiaVoice = z
  .object({ id: z.string(), name: z.string(), language: z.string().nullish().catch(null) })
  .transform(({ id: wireName, name, language }) => ({ wireName, name, ...onlyLanguage([language ?? '']) }));
const modelById = z.object({ id: z.string() }).transform(({ id }) => ({ wireName: id, name: id }));

/** The valid entries of a list. */
function entries<Entry>(schema: z.ZodType<Entry>, raw: readonly unknown[]): Entry[] {
  return raw.flatMap((entry) => schema.safeParse(entry).data ?? []);
}

const rawList = z.array(z.unknown());

const elevenLabsPage = z.object({
  voices: rawList,
  has_more: z.boolean().default(false),
  next_page_token: z.string().nullish(),
});
const cartesiaPage = z.object({ data: rawList, has_more: z.boolean().default(false) });
const deepgramPage = z.object({ tts: rawList.default([]) });
const deepgramVoice = z
  .object({ canonical_name: z.string(), name: z.string(), languages: z.array(z.string()).default([]) })
  .transform(({ canonical_name: wireName, name, languages }) => ({
    wireName,
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}${languages[0] ? `, ${languages.at(-1)}` : ''}`,
    ...onlyLanguage(languages),
  }));
const openAiPage = z.object({ data: rawList });
const anthropicPage = z.object({
  data: rawList,
  has_more: z.boolean().default(false),
  last_id: z.string().nullish(),
});
const googlePage = z.object({ models: rawList, nextPageToken: z.string().optional() });
const googleModel = (method: 'generateContent' | 'bidiGenerateContent' | 'embedContent') =>
  z
    .object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })
    .refine(({ supportedGenerationMethods: methods }) => methods.includes(method))
    .transform(({ name }) => ({ wireName: plainModelName(name), name: plainModelName(name) }));

function plainModelName(name: string): string {
  return name.replace(/^models\//, '');
}

/** @param tags - of a voice, BCP 47: `en`, `en-US` */
export function onlyLanguage(tags: readonly string[]): { language?: string } {
  const [language = '', ...others] = new Set(tags.map((tag) => tag.toLowerCase().replace(/[-_].*/, '')));
  return language.length === 2 && others.length === 0 ? { language } : {};
}

/** Names of OpenAI's chat models; its list does not describe the abilities of a model. */
const CONVERSES = /^(gpt-|chatgpt-|o\d)/;
const OTHER_PURPOSE = /audio|realtime|transcribe|tts|image|search|instruct|embedding|codex|deep-research/;

/** OpenAI's models that turn texts into vectors. */
const EMBEDS = /^text-embedding-/;

/** OpenAI's speech-to-speech models, without dated copies. */
const SPEAKS = /^gpt-realtime(-mini|-\d+(\.\d+)?)?$/;
/** Models of Google's Live API that hold no conversation, or do not wait for their tools. */
const LIVE_OTHER_PURPOSE = /translat|transcri|thinking|robotic|image|tts/;

/** A speech-to-speech voice consists of a voice and a model, because each is available only with the other. */
function realtimeVoices(models: readonly ListedOffer[], voices: readonly string[]): ListedOffer[] {
  return models.flatMap(({ wireName: model }) =>
    voices.map((name) => ({
      name: `${name}, ${model}`,
      wireName: `${name}@${model}`,
      mode: 'multimodal' as const,
    })),
  );
}

function forEmbeddings(models: readonly ListedOffer[]): ListedOffer[] {
  return models.map((model) => ({ ...model, purpose: 'embedding' }));
}

type PageReader = (body: unknown) => ListedPage;

const READERS: Partial<Record<RemoteKind, PageReader>> = {
  elevenlabs(body) {
    const page = elevenLabsPage.parse(body);
    const token = page.has_more ? page.next_page_token : null;
    const next = token ? `/v2/voices?page_size=100&next_page_token=${encodeURIComponent(token)}` : null;
    return { voices: entries(elevenLabsVoice, page.voices), models: [], next };
  },
  cartesia(body) {
    const page = cartesiaPage.parse(body);
    const voices = entries(cartesiaVoice, page.data);
    const last = page.has_more ? voices.at(-1)?.wireName : undefined;
    const next = last ? `/voices?limit=100&starting_after=${encodeURIComponent(last)}` : null;
    return { voices, models: [], next };
  },
  deepgram: (body) => ({
    voices: entries(deepgramVoice, deepgramPage.parse(body).tts),
    models: [],
    next: null,
  }),
  openai(body) {
    const models = entries(modelById, openAiPage.parse(body).data);
    return {
      voices: realtimeVoices(
        models.filter(({ wireName }) => SPEAKS.test(wireName)),
        OPENAI_REALTIME_VOICES,
      ),
      models: [
        ...models.filter(({ wireName }) => CONVERSES.test(wireName) && !OTHER_PURPOSE.test(wireName)),
        ...forEmbeddings(models.filter(({ wireName }) => EMBEDS.test(wireName))),
      ],
      next: null,
    };
  },
  anthropic(body) {
    const page = anthropicPage.parse(body);
    const next =
      page.has_more && page.last_id
        ? `/v1/models?limit=100&after_id=${encodeURIComponent(page.last_id)}`
        : null;
    return { voices: [], models: entries(modelById, page.data), next };
  },
  google(body) {
    const page = googlePage.parse(body);
    const next = page.nextPageToken
      ? `/v1beta/models?pageSize=100&pageToken=${encodeURIComponent(page.nextPageToken)}`
      : null;
    const live = entries(googleModel('bidiGenerateContent'), page.models);
    return {
      voices: realtimeVoices(
        live.filter(({ wireName }) => !LIVE_OTHER_PURPOSE.test(wireName)),
        GEMINI_LIVE_VOICES,
      ),
      models: [
        ...entries(googleModel('generateContent'), page.models),
        ...forEmbeddings(entries(googleModel('embedContent'), page.models)),
      ],
      next,
    };
  },
};

/** @throws Error when the answer is not a page of this provider */
export function readListedPage(kind: RemoteKind, body: string): ListedPage {
  const reader = READERS[kind];
  if (!reader) return { voices: [], models: [], next: null };
  return reader(JSON.parse(body));
}

/** The voices that a provider's documentation lists. */
export function fixedVoices(kind: RemoteKind): ListedOffer[] {
  return (PROVIDER_KINDS[kind].fixedVoices ?? []).map((wireName) => ({
    wireName,
    name: wireName.replace(/@.*/, ''),
  }));
}

/** What is sent as `llm_model` must fit its field. */
const LONGEST_NAME = 100;

/**
 * Names that nothing else has. A voice says whose it is; a model keeps the provider's own name where it is free.
 *
 * @param taken - names that others have
 */
export function uniqueNames(
  offers: readonly ListedOffer[],
  about: { owner: string; isOwnerAlwaysNamed: boolean; taken: ReadonlySet<string> },
): ListedOffer[] {
  const used = new Set(about.taken);
  return offers.map(({ name, ...offer }) => {
    const { wireName } = offer;
    const plain = name.trim() || wireName;
    const owned = (text: string): string => withSuffix(text, ` (${about.owner})`);
    const candidates = [
      ...(about.isOwnerAlwaysNamed ? [] : [plain.slice(0, LONGEST_NAME)]),
      owned(plain),
      ...Array.from({ length: offers.length + 1 }, (_, index) => owned(`${plain} ${index + 2}`)),
    ];
    const free = candidates.find((candidate) => !used.has(candidate)) ?? wireName;
    used.add(free);
    return { ...offer, name: free };
  });
}

function withSuffix(text: string, suffix: string): string {
  return `${text.slice(0, Math.max(1, LONGEST_NAME - suffix.length))}${suffix}`.slice(0, LONGEST_NAME);
}
