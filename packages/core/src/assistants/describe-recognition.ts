/** Describes the speech recognition that the next call of an assistant would use. */
import { Provider } from '@parley/db';
import { freezeConfiguration } from '../calls/call-configuration.ts';
import type { CoreContext } from '../context.ts';
import { rankRecognisers } from '../lookups/providers/rank-recognisers.rules.ts';
import { usableProviders } from '../lookups/providers/usable-providers.ts';
import type { Identity } from '../users/identity.ts';
import { readRecognitionSupport } from '../capacity/recognition-support.ts';
import { decideRecognition, type AssistantRecognition } from './recognition.rules.ts';
import { assistantNotFound } from './own-assistant.ts';

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function describeRecognition(
  ctx: CoreContext,
  identity: Identity,
  assistantId: number,
): Promise<AssistantRecognition> {
  const { userId } = identity;
  const configuration = await freezeConfiguration(ctx.db, { assistantId, userId });
  if (!configuration) throw assistantNotFound();
  const { assistant, language, voice, model } = configuration;
  const named = await ctx.db.em.find(Provider, { id: [voice.providerId, model.providerId] });
  const recognisers = rankRecognisers(await usableProviders(ctx.db, userId), {
    chosenId: assistant.transcriberProviderId,
    modelProviderId: model.providerId,
  });
  const settings = {
    mode: assistant.mode,
    language,
    voiceProvider: named.find(({ id }) => id === voice.providerId)?.name ?? '',
    modelKind: named.find(({ id }) => id === model.providerId)?.kind ?? 'built-in',
    recognisers,
  };
  return decideRecognition(settings, await readRecognitionSupport(ctx.db));
}
