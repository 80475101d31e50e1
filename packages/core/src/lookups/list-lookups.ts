/** The lists an assistant is configured from: always complete, in the order in which things were added. */
import type {
  LanguageRecord,
  ModelRecord,
  PhoneNumberRecord,
  SpeechProviderRecord,
  VoiceRecord,
} from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { Identity } from '../users/identity.ts';
import { TRANSCRIBING_KINDS } from './providers/rank-recognisers.rules.ts';

const selectVoices = statement<VoiceRecord>(
  'list_voices',
  `select id, name, mode from voices
   where (user_id is null or user_id = $1) and ($2::text is null or mode = $2)
   order by id`,
);
const selectModels = statement<ModelRecord>(
  'list_models',
  `select m.id, m.name from llm_models m join providers p on p.id = m.provider_id
   where p.user_id is null or p.user_id = $1
   order by m.id`,
);
const selectLanguages = statement<{ id: number; name: string; iso2: string }>(
  'list_languages',
  `select id, name, iso_2 from languages order by id`,
);
const selectSynthesizerProviders = statement<SpeechProviderRecord>(
  'list_synthesizer_providers',
  `select p.id, p.name from providers p
   where (p.user_id is null or p.user_id = $1) and exists (
     select 1 from voices v where v.provider_id = p.id and (v.user_id is null or v.user_id = $1))
   order by p.id`,
);
const selectTranscriberProviders = statement<SpeechProviderRecord>(
  'list_transcriber_providers',
  `select id, name from providers where (user_id is null or user_id = $1) and kind = any($2::text[]) order by id`,
);
interface PhoneNumberRow {
  id: number;
  phoneNumber: string;
  countryCode: string;
  typeLabel: PhoneNumberRecord['type_label'];
  isAvailable: boolean;
  /** To any assistant, also to one that only shows it when it calls. */
  isAssigned: boolean;
}

const selectPhoneNumbers = statement<PhoneNumberRow>(
  'list_phone_numbers',
  `select n.id, n.phone_number, n.country_code, n.type_label,
     n.type_label <> 'Caller ID' and not exists (
       select 1 from assistants a where a.phone_number_id = n.id and a.type = 'inbound' and a.deleted_at is null
     ) as is_available,
     exists (select 1 from assistants a where a.phone_number_id = n.id and a.deleted_at is null) as is_assigned
   from phone_numbers n where n.user_id = $1 order by n.id`,
);

/** Public voices and the caller's own. */
export async function listVoices(
  ctx: CoreContext,
  identity: Identity,
  filter: { mode?: VoiceRecord['mode'] | undefined } = {},
): Promise<VoiceRecord[]> {
  return ctx.db.query(selectVoices, [identity.userId, filter.mode ?? null]);
}

/** Models of shared providers and of the caller's own. */
export async function listModels(ctx: CoreContext, identity: Identity): Promise<ModelRecord[]> {
  return ctx.db.query(selectModels, [identity.userId]);
}

/** Who offers the voices that the caller may use. */
export async function listSynthesizerProviders(
  ctx: CoreContext,
  identity: Identity,
): Promise<SpeechProviderRecord[]> {
  return ctx.db.query(selectSynthesizerProviders, [identity.userId]);
}

/** Who can transcribe for the caller: what an assistant may name as `transcriber_provider_id`. */
export async function listTranscriberProviders(
  ctx: CoreContext,
  identity: Identity,
): Promise<SpeechProviderRecord[]> {
  return ctx.db.query(selectTranscriberProviders, [identity.userId, TRANSCRIBING_KINDS]);
}

/** The same for everybody. */
export async function listLanguages(ctx: CoreContext, _identity: Identity): Promise<LanguageRecord[]> {
  const rows = await ctx.db.query(selectLanguages);
  return rows.map((row) => ({ id: row.id, name: row.name, iso_2: row.iso2 }));
}

/** The caller's numbers; with `type` inbound neither those for caller ID only nor those that any assistant has. */
export async function listPhoneNumbers(
  ctx: CoreContext,
  identity: Identity,
  filter: { type?: 'inbound' | 'outbound' | undefined } = {},
): Promise<PhoneNumberRecord[]> {
  const rows = await ctx.db.query(selectPhoneNumbers, [identity.userId]);
  const isListed = (row: PhoneNumberRow) => filter.type !== 'inbound' || (row.isAvailable && !row.isAssigned);
  return rows.filter(isListed).map(phoneNumberRecord);
}

function phoneNumberRecord(row: PhoneNumberRow): PhoneNumberRecord {
  return {
    id: row.id,
    phone_number: row.phoneNumber,
    country_code: row.countryCode,
    type_label: row.typeLabel,
    is_available: row.isAvailable,
  };
}
