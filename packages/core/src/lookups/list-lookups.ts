/** The lists of choices for an assistant: always complete, in the order of creation. */
import type {
  LanguageRecord,
  ModelRecord,
  PhoneNumberRecord,
  SpeechProviderRecord,
  VoiceRecord,
} from '@parley/contracts';
import {
  Assistant,
  Language,
  LlmModel,
  PhoneNumber,
  Provider,
  Voice,
  type PhoneNumberRow,
  type ProviderRow,
} from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { canTranscribe } from './providers/rank-recognisers.rules.ts';
import { usableProviders } from './providers/usable-providers.ts';
import { sharedOrOwn } from './shared-or-own.ts';

/** In the order of creation. */
const IN_ORDER = { orderBy: { id: 'asc' } } as const;

/** Public voices and the user's own. */
export async function listVoices(
  ctx: CoreContext,
  identity: Identity,
  filter: { mode?: VoiceRecord['mode'] | undefined } = {},
): Promise<VoiceRecord[]> {
  const { mode } = filter;
  const usable = { ...sharedOrOwn(identity.userId), ...(mode !== undefined && { mode }) };
  const voices = await ctx.db.em.find(Voice, usable, IN_ORDER);
  return voices.map((voice) => ({ id: voice.id, name: voice.name, mode: voice.mode }));
}

/** Models of shared providers and of the user's own. */
export async function listModels(ctx: CoreContext, identity: Identity): Promise<ModelRecord[]> {
  const providers = await ctx.db.em.find(Provider, sharedOrOwn(identity.userId));
  const offered = { providerId: providers.map(({ id }) => id), purpose: 'conversation' } as const;
  return (await ctx.db.em.find(LlmModel, offered, IN_ORDER)).map(({ id, name }) => ({ id, name }));
}

/** The providers of the voices that the user may use. */
export async function listSynthesizerProviders(
  ctx: CoreContext,
  identity: Identity,
): Promise<SpeechProviderRecord[]> {
  const usable = sharedOrOwn(identity.userId);
  const voices = await ctx.db.em.find(Voice, usable, { fields: ['providerId'] });
  const ids = [...new Set(voices.map(({ providerId }) => providerId))];
  return (await ctx.db.em.find(Provider, { id: ids, ...usable }, IN_ORDER)).map(providerRecord);
}

/** The providers that can transcribe for the user: the values of an assistant's `transcriber_provider_id`. */
export async function listTranscriberProviders(
  ctx: CoreContext,
  identity: Identity,
): Promise<SpeechProviderRecord[]> {
  return (await usableProviders(ctx.db, identity.userId)).filter(canTranscribe).map(providerRecord);
}

/** All users have the same languages. */
export async function listLanguages(ctx: CoreContext, _identity: Identity): Promise<LanguageRecord[]> {
  const rows = await ctx.db.em.find(Language, {}, IN_ORDER);
  return rows.map((row) => ({ id: row.id, name: row.name, iso_2: row.iso2 }));
}

/** The user's numbers. With `type` inbound, numbers that are only shown as caller ID and assigned numbers are left out. */
export async function listPhoneNumbers(
  ctx: CoreContext,
  identity: Identity,
  filter: { type?: 'inbound' | 'outbound' | undefined } = {},
): Promise<PhoneNumberRecord[]> {
  const { em } = ctx.db;
  const numbers = await em.find(PhoneNumber, { userId: identity.userId }, IN_ORDER);
  const assigned = { phoneNumberId: numbers.map(({ id }) => id), deletedAt: null };
  const users = await em.find(Assistant, assigned, { fields: ['phoneNumberId', 'type'] });
  const inUse = new Set(users.map(({ phoneNumberId }) => phoneNumberId));
  const ringing = new Set(
    users.filter(({ type }) => type === 'inbound').map(({ phoneNumberId }) => phoneNumberId),
  );
  return numbers
    .map((number) => phoneNumberRecord(number, ringing.has(number.id)))
    .filter((record) => filter.type !== 'inbound' || (record.is_available && !inUse.has(record.id)));
}

function providerRecord({ id, name }: ProviderRow): SpeechProviderRecord {
  return { id, name };
}

/** @param isRinging - an inbound assistant answers this number */
export function phoneNumberRecord(row: PhoneNumberRow, isRinging: boolean): PhoneNumberRecord {
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    country_code: row.countryCode,
    type_label: row.typeLabel,
    is_available: row.typeLabel !== 'Caller ID' && !isRinging,
  };
}
