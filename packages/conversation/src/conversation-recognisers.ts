/** Which recognisers a conversation uses. A speech-to-speech model recognises the caller itself. */
import type { Recogniser } from '@parley/speech';
import type { ConversationOptions } from './conversation-port.ts';
import { ProviderChain } from './provider-chain.ts';
import { REALTIME_HEARING, type RealtimeEngine } from './realtime/realtime-engine.ts';
import type { RecogniserTraits } from './turn/turn-policy.rules.ts';

/** The recognisers in the order of their use; null without any. */
export function recogniserChain(
  { recogniser, fallbacks }: ConversationOptions,
  realtime: RealtimeEngine | null,
): ProviderChain<Recogniser> | null {
  if (realtime) return new ProviderChain(realtime.recogniser);
  return recogniser ? new ProviderChain(recogniser, ...(fallbacks?.recognisers ?? [])) : null;
}

/** The properties of the first one that the turn-taking rules use; null without any. */
export function recogniserTraits({
  realtime,
  recogniser,
  fallbacks,
}: ConversationOptions): RecogniserTraits | null {
  if (realtime) return { ...REALTIME_HEARING, isModel: true, fallbacks: 0 };
  return recogniser ? { ...recogniser.capabilities, fallbacks: fallbacks?.recognisers?.length ?? 0 } : null;
}
