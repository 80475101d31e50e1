/**
 * Who transcribes a call, best first: the assistant's own choice, then those that stream, then those that take whole
 * utterances, and last the built-in one, which recognises English. A server with OpenAI's interface is asked only where it
 * also runs the assistant's model, because many such servers transcribe nothing; a call then continues with the built-in one.
 */
import type { ProviderRow } from '@parley/db';

/** Best first. `packages/speech` has a recogniser for each. */
const BY_QUALITY = ['deepgram', 'assemblyai', 'openai'] as const satisfies readonly ProviderRow['kind'][];

/** Kinds that an assistant may name. What is built in needs no naming. */
export const TRANSCRIBING_KINDS: readonly ProviderRow['kind'][] = [...BY_QUALITY, 'openai-compatible'];

/** What decides. */
export interface RecogniserWish {
  /** The assistant's `transcriber_provider_id`. */
  chosenId: number | null;
  /** The provider of the assistant's model. */
  modelProviderId: number;
}

/** @param providers - all that the caller may use, in the order in which they were added */
export function rankRecognisers<Provider extends Pick<ProviderRow, 'id' | 'kind' | 'apiKeySealed'>>(
  providers: readonly Provider[],
  { chosenId, modelProviderId }: RecogniserWish,
): Provider[] {
  const rank = ({ id, kind, apiKeySealed }: Provider): number => {
    if (id === chosenId && TRANSCRIBING_KINDS.includes(kind)) return 0;
    if (kind === 'built-in') return 100;
    if (kind === 'openai-compatible') return id === modelProviderId ? 99 : Infinity;
    const place = BY_QUALITY.indexOf(kind as (typeof BY_QUALITY)[number]);
    return place === -1 || apiKeySealed === null ? Infinity : 1 + place;
  };
  return providers.filter((provider) => rank(provider) < Infinity).toSorted((a, b) => rank(a) - rank(b));
}
