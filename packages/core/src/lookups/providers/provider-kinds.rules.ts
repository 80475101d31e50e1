/**
 * What is known of each kind of provider without asking it: where it is, how it is told who asks, which request shows
 * that a key is right, and where it lists its voices and models. What it answers is read in `provider-lists.ts`.
 */
import type { ProviderRow } from '@parley/db';

/** Kinds that have an address. */
export type RemoteKind = Exclude<ProviderRow['kind'], 'built-in'>;

/** One kind of provider. */
export interface ProviderKind {
  /** Null where every account has its own. */
  defaultBaseUrl: string | null;
  headers(apiKey: string): Record<string, string>;
  /** A request that only a right key gets through; path below the base URL. */
  keyPath: string;
  /** Statuses that mean "this key is wrong". */
  refusedStatuses: readonly number[];
  /** The first page of what it offers; null where it lists nothing that we use. */
  listPath: string | null;
  /** What is offered without asking. */
  fixedVoices?: readonly string[];
}

const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
const UNAUTHORISED = [401, 403];

/** Voices of `audio/speech`, by the provider's page on text to speech; it has no list to ask for. */
const OPENAI_VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'];
/** Voices of its speech to speech, by the reference of its realtime sessions. */
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
/** Voices of Google's Live API, by its page on generated speech. */
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
/** The only model with all voices of `audio/speech`. */
const OPENAI_SPEECH_MODEL = 'gpt-4o-mini-tts';

/** The table. The base URLs are those that `packages/speech` expects. */
export const PROVIDER_KINDS: Record<RemoteKind, ProviderKind> = {
  'openai-compatible': {
    defaultBaseUrl: null,
    headers: bearer,
    keyPath: '/models',
    refusedStatuses: UNAUTHORISED,
    listPath: null, // what it offers is written by the operator
  },
  openai: {
    defaultBaseUrl: 'https://api.openai.com/v1',
    headers: bearer,
    keyPath: '/models',
    refusedStatuses: UNAUTHORISED,
    listPath: '/models',
    fixedVoices: OPENAI_VOICES.map((voice) => `${voice}@${OPENAI_SPEECH_MODEL}`),
  },
  anthropic: {
    defaultBaseUrl: 'https://api.anthropic.com',
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    keyPath: '/v1/models?limit=1',
    refusedStatuses: UNAUTHORISED,
    listPath: '/v1/models?limit=100',
  },
  google: {
    defaultBaseUrl: 'https://generativelanguage.googleapis.com',
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    keyPath: '/v1beta/models?pageSize=1',
    refusedStatuses: [400, ...UNAUTHORISED], // a key that is none is an "invalid argument"
    listPath: '/v1beta/models?pageSize=100',
  },
  deepgram: {
    defaultBaseUrl: 'https://api.deepgram.com',
    headers: (apiKey) => ({ authorization: `Token ${apiKey}` }),
    keyPath: '/v1/projects', // its list of models is open to everybody
    refusedStatuses: UNAUTHORISED,
    listPath: '/v1/models',
  },
  assemblyai: {
    defaultBaseUrl: 'https://streaming.assemblyai.com',
    headers: (apiKey) => ({ authorization: apiKey }),
    keyPath: '/v3/token?expires_in_seconds=60',
    refusedStatuses: UNAUTHORISED,
    listPath: null, // it only listens
  },
  elevenlabs: {
    defaultBaseUrl: 'https://api.elevenlabs.io',
    headers: (apiKey) => ({ 'xi-api-key': apiKey }),
    keyPath: '/v2/voices?page_size=1',
    refusedStatuses: UNAUTHORISED,
    listPath: '/v2/voices?page_size=100',
  },
  cartesia: {
    defaultBaseUrl: 'https://api.cartesia.ai',
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'cartesia-version': '2025-04-16' }),
    keyPath: '/voices?limit=1',
    refusedStatuses: UNAUTHORISED,
    listPath: '/voices?limit=100',
  },
};

/** Kinds whose lists are asked for, or known. */
export const LISTED_KINDS: readonly RemoteKind[] = (Object.keys(PROVIDER_KINDS) as RemoteKind[]).filter(
  (kind) => PROVIDER_KINDS[kind].listPath !== null,
);
