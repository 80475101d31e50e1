/**
 * The fixed properties of each kind of provider: its address, the header that carries the key, the request that
 * verifies a key, and the path of its lists. `provider-lists.ts` reads the answers.
 */
import type { ProviderRow } from '@parley/db';

/** Kinds with an address. */
export type RemoteKind = Exclude<ProviderRow['kind'], 'built-in'>;

/** One kind of provider. */
export interface ProviderKind {
  /** Null where every account has its own address. */
  defaultBaseUrl: string | null;
  headers(apiKey: string): Record<string, string>;
  /** The path, below the base URL, of a request that requires a valid key. */
  keyPath: string;
  /** Statuses that mean that the key is invalid. */
  refusedStatuses: readonly number[];
  /** The path of the first page of its list; null without a list that we use. */
  listPath: string | null;
  /** The path of `embeddings` in OpenAI's protocol, with the key as a bearer token; null without embeddings. */
  embeddingsPath: string | null;
  /** Voices that the provider's documentation lists. */
  fixedVoices?: readonly string[];
}

const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
const UNAUTHORISED = [401, 403];

/** Voices of `audio/speech` according to the provider's documentation; there is no endpoint that lists them. */
const OPENAI_VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'];
/** Voices of its speech-to-speech models, according to the reference of its realtime sessions. */
export const OPENAI_REALTIME_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'cedar',
  'coral',
  'echo',
  'marin',
  'sage',
  'shimmer',
  'verse',
];
/** Voices of Google's Live API, according to its documentation of speech generation. */
export const GEMINI_LIVE_VOICES = [
  'Achernar',
  'Achird',
  'Algenib',
  'Algieba',
  'Alnilam',
  'Aoede',
  'Autonoe',
  'Callirrhoe',
  'Charon',
  'Despina',
  'Enceladus',
  'Erinome',
  'Fenrir',
  'Gacrux',
  'Iapetus',
  'Kore',
  'Laomedeia',
  'Leda',
  'Orus',
  'Puck',
  'Pulcherrima',
  'Rasalgethi',
  'Sadachbia',
  'Sadaltager',
  'Schedar',
  'Sulafat',
  'Umbriel',
  'Vindemiatrix',
  'Zephyr',
  'Zubenelgenubi',
];
/** The only model that supports all voices of `audio/speech`. */
const OPENAI_SPEECH_MODEL = 'gpt-4o-mini-tts';

/** The base URLs are the same as in `packages/speech`. */
export const PROVIDER_KINDS: Record<RemoteKind, ProviderKind> = {
  'openai-compatible': {
    defaultBaseUrl: null,
    headers: bearer,
    keyPath: '/models',
    refusedStatuses: UNAUTHORISED,
    listPath: null, // The operator enters its models.
    embeddingsPath: '/embeddings',
  },
  openai: {
    defaultBaseUrl: 'https://api.openai.com/v1',
    headers: bearer,
    keyPath: '/models',
    refusedStatuses: UNAUTHORISED,
    listPath: '/models',
    embeddingsPath: '/embeddings',
    fixedVoices: OPENAI_VOICES.map((voice) => `${voice}@${OPENAI_SPEECH_MODEL}`),
  },
  anthropic: {
    defaultBaseUrl: 'https://api.anthropic.com',
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    keyPath: '/v1/models?limit=1',
    refusedStatuses: UNAUTHORISED,
    listPath: '/v1/models?limit=100',
    embeddingsPath: null,
  },
  google: {
    defaultBaseUrl: 'https://generativelanguage.googleapis.com',
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    keyPath: '/v1beta/models?pageSize=1',
    refusedStatuses: [400, ...UNAUTHORISED], // An invalid key is reported as an "invalid argument".
    listPath: '/v1beta/models?pageSize=100',
    embeddingsPath: '/v1beta/openai/embeddings',
  },
  deepgram: {
    defaultBaseUrl: 'https://api.deepgram.com',
    headers: (apiKey) => ({ authorization: `Token ${apiKey}` }),
    keyPath: '/v1/projects', // Its list of models needs no key.
    refusedStatuses: UNAUTHORISED,
    listPath: '/v1/models',
    embeddingsPath: null,
  },
  assemblyai: {
    defaultBaseUrl: 'https://streaming.assemblyai.com',
    headers: (apiKey) => ({ authorization: apiKey }),
    keyPath: '/v3/token?expires_in_seconds=60',
    refusedStatuses: UNAUTHORISED,
    listPath: null, // It only transcribes.
    embeddingsPath: null,
  },
  elevenlabs: {
    defaultBaseUrl: 'https://api.elevenlabs.io',
    headers: (apiKey) => ({ 'xi-api-key': apiKey }),
    keyPath: '/v2/voices?page_size=1',
    refusedStatuses: UNAUTHORISED,
    listPath: '/v2/voices?page_size=100',
    embeddingsPath: null,
  },
  cartesia: {
    defaultBaseUrl: 'https://api.cartesia.ai',
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'cartesia-version': '2025-04-16' }),
    keyPath: '/voices?limit=1',
    refusedStatuses: UNAUTHORISED,
    listPath: '/voices?limit=100',
    embeddingsPath: null,
  },
};

/** Kinds with lists, fetched or fixed. */
export const LISTED_KINDS: readonly RemoteKind[] = (Object.keys(PROVIDER_KINDS) as RemoteKind[]).filter(
  (kind) => PROVIDER_KINDS[kind].listPath !== null,
);
