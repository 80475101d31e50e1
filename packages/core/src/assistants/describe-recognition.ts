/** Describes the speech recognition that the next call of an assistant would use, and a voice that does not speak its language. */
import { Language, Provider, Voice } from '@parley/db';
import { freezeConfiguration, type CallConfiguration } from '../calls/call-configuration.ts';
import type { CoreContext } from '../context.ts';
import { rankRecognisers } from '../lookups/providers/rank-recognisers.rules.ts';
import { usableProviders } from '../lookups/providers/usable-providers.ts';
import type { Identity } from '../users/identity.ts';
import { readRecognitionSupport } from '../capacity/recognition-support.ts';
import { decideRecognition, type AssistantRecognition } from './recognition.rules.ts';
import { assistantNotFound } from './own-assistant.ts';

/** A voice of another language than the assistant's. */
export interface VoiceMismatch {
  voice: string;
  /** Name of the language of the voice. */
  speaks: string;
  /** Name of the assistant's language. */
  language: string;
}

/** @throws DomainError `not-found`, also when it is deleted or has another owner */
export async function describeRecognition(
  ctx: CoreContext,
  identity: Identity,
  assistantId: number,
): Promise<AssistantRecognition & { voiceMismatch: VoiceMismatch | null }> {
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
  return {
    ...decideRecognition(settings, await readRecognitionSupport(ctx.db)),
    voiceMismatch: await findVoiceMismatch(ctx, configuration),
  };
}

/** Voices of providers that do not name a language speak any. */
async function findVoiceMismatch(
  ctx: CoreContext,
  { voice, language }: Pick<CallConfiguration, 'voice' | 'language'>,
): Promise<VoiceMismatch | null> {
  const stored = await ctx.db.em.findOne(Voice, { id: voice.id });
  if (!stored?.languageId || stored.languageId === language.id) return null;
  const spoken = await ctx.db.em.findOne(Language, { id: stored.languageId });
  return spoken ? { voice: voice.name, speaks: spoken.name, language: language.name } : null;
}
