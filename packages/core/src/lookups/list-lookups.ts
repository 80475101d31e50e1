import type { LanguageRecord, ModelRecord, PhoneNumberRecord, VoiceRecord } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';

export async function listVoices(
  _ctx: CoreContext,
  _identity: Identity,
  _filter: { mode?: 'pipeline' | 'multimodal' | undefined } = {},
): Promise<VoiceRecord[]> {
  throw new Error('coming');
}

export async function listModels(_ctx: CoreContext, _identity: Identity): Promise<ModelRecord[]> {
  throw new Error('coming');
}

export async function listLanguages(_ctx: CoreContext, _identity: Identity): Promise<LanguageRecord[]> {
  throw new Error('coming');
}

export async function listPhoneNumbers(
  _ctx: CoreContext,
  _identity: Identity,
  _filter: { type?: 'inbound' | 'outbound' | undefined } = {},
): Promise<PhoneNumberRecord[]> {
  throw new Error('coming');
}
