/** Looks up what an assistant refers to by id or by name: voice, language, model, phone number. */
import { fieldFault, wording, type AssistantChanges } from '@parley/contracts';
import { statement, type AssistantRow, type Tx } from '@parley/db';
import { TRANSCRIBING_KINDS } from '../lookups/providers/rank-recognisers.rules.ts';
import type { FieldMessages } from '../shared/domain-error.ts';

/** What to look up. What is absent is not asked for. */
export interface WantedReferences extends Pick<
  AssistantChanges,
  | 'voice_id'
  | 'language'
  | 'language_id'
  | 'llm_model'
  | 'llm_model_id'
  | 'phone_number_id'
  | 'transcriber_provider_id'
> {
  /** Of the assistant as it will be. */
  mode: AssistantRow['mode'];
  type: AssistantRow['type'];
}

/** Who asks, for which assistant; null: for one that does not exist yet. */
export interface ReferenceOwner {
  userId: number;
  assistantId: number | null;
}

/** What was asked for, found and allowed, and what was not. */
export interface FoundReferences {
  ids: Partial<
    Pick<AssistantRow, 'voiceId' | 'languageId' | 'llmModelId' | 'phoneNumberId' | 'transcriberProviderId'>
  >;
  language: { name: string; iso2: string } | null;
  /** Every reference that leads nowhere. */
  faults: FieldMessages;
}

const selectVoice = statement<{ id: number }>(
  'reference_voice',
  `select id from voices where id = $1 and mode = $2 and (user_id is null or user_id = $3)`,
);
const selectLanguage = statement<{ id: number; name: string; iso2: string }>(
  'reference_language',
  `select id, name, iso_2 from languages
   where case when $1::bigint is null then lower(name) = lower($2) else id = $1 end`,
);
const selectModel = statement<{ id: number }>(
  'reference_model',
  `select m.id from llm_models m join providers p on p.id = m.provider_id
   where case when $1::bigint is null then m.name = $2 else m.id = $1 end and (p.user_id is null or p.user_id = $3)`,
);
const selectTranscriber = statement<{ id: number }>(
  'reference_transcriber',
  `select id from providers where id = $1 and kind = any($2::text[]) and (user_id is null or user_id = $3)`,
);
/** A number that shows as caller ID only cannot ring, and one that rings elsewhere cannot ring here too. */
const selectPhoneNumber = statement<{ id: number }>(
  'reference_phone_number',
  `select n.id from phone_numbers n
   where n.id = $1 and n.user_id = $2 and ($3 <> 'inbound' or (n.type_label <> 'Caller ID' and not exists (
     select 1 from assistants a where a.phone_number_id = n.id and a.type = 'inbound' and a.deleted_at is null
       and a.id is distinct from $4::bigint)))`,
);

/** Where both an id and a name were sent, the name wins, as everywhere between write and read names. */
export async function findAssistantReferences(
  tx: Tx,
  owner: ReferenceOwner,
  wanted: WantedReferences,
): Promise<FoundReferences> {
  const found: FoundReferences = { ids: {}, language: null, faults: {} };
  // One after the other: inside a transaction they share one connection.
  await findVoice(tx, owner, wanted, found);
  await findLanguage(tx, wanted, found);
  await findModel(tx, owner, wanted, found);
  await findPhoneNumber(tx, owner, wanted, found);
  await findTranscriber(tx, owner, wanted, found);
  return found;
}

async function findVoice(
  tx: Tx,
  { userId }: ReferenceOwner,
  wanted: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  if (wanted.voice_id === undefined) return;
  const [voice] = await tx.query(selectVoice, [wanted.voice_id, wanted.mode, userId]);
  if (voice) found.ids.voiceId = voice.id;
  else refuse(found, 'voice_id');
}

async function findLanguage(tx: Tx, wanted: WantedReferences, found: FoundReferences): Promise<void> {
  const { language: name, language_id: id } = wanted;
  if (name === undefined && id === undefined) return;
  const [language] = await tx.query(selectLanguage, [name === undefined ? (id ?? null) : null, name ?? null]);
  if (!language) return refuse(found, name === undefined ? 'language_id' : 'language');
  found.ids.languageId = language.id;
  found.language = language;
}

async function findModel(
  tx: Tx,
  { userId }: ReferenceOwner,
  wanted: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  const { llm_model: name, llm_model_id: id } = wanted;
  if (name === undefined && id === undefined) return;
  const byId = name === undefined ? (id ?? null) : null;
  const [model] = await tx.query(selectModel, [byId, name ?? null, userId]);
  if (model) found.ids.llmModelId = model.id;
  else refuse(found, name === undefined ? 'llm_model_id' : 'llm_model');
}

async function findPhoneNumber(
  tx: Tx,
  { userId, assistantId }: ReferenceOwner,
  wanted: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  const { phone_number_id: id, type } = wanted;
  if (id === undefined) return;
  if (id === null) {
    found.ids.phoneNumberId = null;
    return;
  }
  const [number] = await tx.query(selectPhoneNumber, [id, userId, type, assistantId]);
  if (number) found.ids.phoneNumberId = number.id;
  else refuse(found, 'phone_number_id');
}

async function findTranscriber(
  tx: Tx,
  { userId }: ReferenceOwner,
  { transcriber_provider_id: id }: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  if (id === undefined) return;
  if (id === null) {
    found.ids.transcriberProviderId = null;
    return;
  }
  const [provider] = await tx.query(selectTranscriber, [id, TRANSCRIBING_KINDS, userId]);
  if (provider) found.ids.transcriberProviderId = provider.id;
  else refuse(found, 'transcriber_provider_id');
}

function refuse(found: FoundReferences, field: string): void {
  Object.assign(found.faults, fieldFault(field, wording.selected));
}
