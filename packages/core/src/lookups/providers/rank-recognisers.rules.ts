/**
 * Who transcribes a call, best first: the assistant's own choice, then those that stream, then those that take whole
 * utterances, and last the built-in one, which recognises English. A server with OpenAI's interface is asked if an operator
 * has named its transcription model, or if it also runs the assistant's model and may transcribe; a call then continues with
 * the built-in one. A server that was found on this machine comes after the built-in one, because no operator has chosen it and
 * it may be slow: it transcribes the other languages.
 */
import type { ProviderRow } from '@parley/db';

/** Best first. `packages/speech` has a recogniser for each. */
const BY_QUALITY = ['deepgram', 'assemblyai', 'openai'] as const satisfies readonly ProviderRow['kind'][];
const BUILT_IN_RANK = 100;

/** What decides. */
export interface RecogniserWish {
  /** The assistant's `transcriber_provider_id`. */
  chosenId: number | null;
  /** The provider of the assistant's model. */
  modelProviderId: number;
}

type Abilities = Pick<ProviderRow, 'kind' | 'isFound' | 'transcriptionModel'>;

/** Whether an assistant may name it. What is built in needs no naming; a server that an operator added may transcribe. */
export function canTranscribe({ kind, isFound, transcriptionModel }: Abilities): boolean {
  if (kind === 'openai-compatible') return !isFound || transcriptionModel !== null;
  return BY_QUALITY.some((known) => known === kind);
}

/** @param providers - all that the caller may use, in the order in which they were added */
export function rankRecognisers<Provider extends Abilities & Pick<ProviderRow, 'id' | 'apiKeySealed'>>(
  providers: readonly Provider[],
  { chosenId, modelProviderId }: RecogniserWish,
): Provider[] {
  const rank = (provider: Provider): number => {
    if (provider.kind === 'built-in') return BUILT_IN_RANK;
    if (!canTranscribe(provider)) return Infinity;
    if (provider.id === chosenId) return 0;
    if (provider.kind === 'openai-compatible') return rankOfServer(provider, modelProviderId);
    const place = BY_QUALITY.indexOf(provider.kind as (typeof BY_QUALITY)[number]);
    return provider.apiKeySealed === null ? Infinity : 1 + place;
  };
  return providers.filter((provider) => rank(provider) < Infinity).toSorted((a, b) => rank(a) - rank(b));
}

/** The rank of a server that can transcribe. */
function rankOfServer(
  { id, isFound, transcriptionModel }: Abilities & Pick<ProviderRow, 'id'>,
  modelProviderId: number,
): number {
  if (id === modelProviderId) return BUILT_IN_RANK - 1;
  if (transcriptionModel === null) return Infinity;
  return isFound ? BUILT_IN_RANK + 1 : BUILT_IN_RANK - 2;
}
