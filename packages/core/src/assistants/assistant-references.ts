/** Resolves what an assistant refers to by id or by name: voice, language, model, phone number, transcriber, folder, labels. */
import { fieldFault, wording, type AssistantChanges } from '@parley/contracts';
import {
  Assistant,
  AssistantGroup,
  LlmModel,
  LockMode,
  PhoneNumber,
  Provider,
  statement,
  Voice,
  type AssistantGroupRow,
  type AssistantRow,
  type PhoneNumberRow,
  type Transaction,
  type Tx,
} from '@parley/db';
import { canTranscribe } from '../lookups/providers/rank-recognisers.rules.ts';
import { sharedOrOwn } from '../lookups/shared-or-own.ts';
import type { FieldMessages } from '../shared/domain-error.ts';

/** The references to look up; absent ones are skipped. */
export interface WantedReferences extends Pick<
  AssistantChanges,
  | 'voice_id'
  | 'language'
  | 'language_id'
  | 'llm_model'
  | 'llm_model_id'
  | 'fallback_llm_models'
  | 'phone_number_id'
  | 'transcriber_provider_id'
  | 'folder_id'
  | 'label_ids'
> {
  /** The mode of the assistant after the change. */
  mode: AssistantRow['mode'];
  type: AssistantRow['type'];
}

/** The owner and the assistant; null for an assistant that does not exist yet. */
export interface ReferenceOwner {
  userId: number;
  assistantId: number | null;
}

/** The references that were found and may be used, and a fault for each of the others. */
export interface FoundReferences {
  ids: Partial<
    Pick<
      AssistantRow,
      | 'voiceId'
      | 'languageId'
      | 'llmModelId'
      | 'phoneNumberId'
      | 'transcriberProviderId'
      | 'folderId'
      | 'labelIds'
    >
  >;
  language: { name: string; iso2: string } | null;
  faults: FieldMessages;
}

/** SQL, because it compares without regard to case. */
const selectLanguage = statement<{ id: number; name: string; iso2: string }>(
  'reference_language',
  `select id, name, iso_2 from languages
   where case when $1::bigint is null then lower(name) = lower($2) else id = $1 end`,
);

/** Where both an id and a name were sent, the name takes precedence. */
export async function findAssistantReferences(
  tx: Transaction,
  owner: ReferenceOwner,
  wanted: WantedReferences,
): Promise<FoundReferences> {
  const found: FoundReferences = { ids: {}, language: null, faults: {} };
  await findVoice(tx, owner, wanted, found);
  await findLanguage(tx, wanted, found);
  await findModel(tx, owner, wanted, found);
  await checkFallbackModels(tx, owner, wanted, found);
  await findPhoneNumber(tx, owner, wanted, found);
  await findTranscriber(tx, owner, wanted, found);
  await findFolder(tx, owner, wanted, found);
  await findLabels(tx, owner, wanted, found);
  return found;
}

async function findVoice(
  tx: Tx,
  { userId }: ReferenceOwner,
  wanted: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  if (wanted.voice_id === undefined) return;
  const { voice_id: id, mode } = wanted;
  const voice = await tx.em.findOne(Voice, { id, mode, ...sharedOrOwn(userId) });
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
  asked: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  const { llm_model: name, llm_model_id: id } = asked;
  if (name === undefined && id === undefined) return;
  const wanted = name === undefined ? { id: id ?? null } : { name };
  const model = await tx.em.findOne(LlmModel, { ...wanted, purpose: 'conversation' });
  const isUsable =
    model && (await tx.em.count(Provider, { id: model.providerId, ...sharedOrOwn(userId) })) > 0;
  if (isUsable) found.ids.llmModelId = model.id;
  else refuse(found, name === undefined ? 'llm_model_id' : 'llm_model');
}

/** Stored by name. The built-in model follows a script, so it cannot continue the conversation of another model. */
async function checkFallbackModels(
  tx: Tx,
  { userId }: ReferenceOwner,
  { fallback_llm_models: names = [] }: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  if (names.length === 0) return;
  const models = await tx.em.find(LlmModel, { name: names, purpose: 'conversation' });
  const providerIds = [...new Set(models.map(({ providerId }) => providerId))];
  const kind = { $ne: 'built-in' as const };
  const usable = await tx.em.count(Provider, { id: providerIds, kind, ...sharedOrOwn(userId) });
  if (models.length < new Set(names).size || usable < providerIds.length)
    refuse(found, 'fallback_llm_models');
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
  const number = await tx.em.findOne(PhoneNumber, { id, userId });
  const isUsable = number && (type === 'outbound' || (await canRing(tx, number, assistantId)));
  if (isUsable) found.ids.phoneNumberId = id;
  else refuse(found, 'phone_number_id');
}

/** A number that is only shown as caller ID takes no calls, and a number rings at one inbound assistant at most. */
async function canRing(
  tx: Tx,
  { id: phoneNumberId, typeLabel }: PhoneNumberRow,
  assistantId: number | null,
): Promise<boolean> {
  if (typeLabel === 'Caller ID') return false;
  const others = { phoneNumberId, type: 'inbound', deletedAt: null, id: { $ne: assistantId } } as const;
  return (await tx.em.count(Assistant, others)) === 0;
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
  const provider = await tx.em.findOne(Provider, { id, ...sharedOrOwn(userId) });
  if (provider && canTranscribe(provider)) found.ids.transcriberProviderId = provider.id;
  else refuse(found, 'transcriber_provider_id');
}

async function findFolder(
  tx: Transaction,
  { userId }: ReferenceOwner,
  { folder_id: id }: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  if (id === undefined) return;
  const [folderId = null] = await lockGroups(tx, { userId, kind: 'folder' }, id === null ? [] : [id]);
  if (folderId === id) found.ids.folderId = id;
  else refuse(found, 'folder_id');
}

/** The first unknown label is reported. */
async function findLabels(
  tx: Transaction,
  { userId }: ReferenceOwner,
  { label_ids: wanted }: WantedReferences,
  found: FoundReferences,
): Promise<void> {
  if (wanted === undefined) return;
  const ids = await lockGroups(tx, { userId, kind: 'label' }, wanted);
  const unknown = wanted.findIndex((id) => !ids.includes(id));
  if (unknown === -1) found.ids.labelIds = ids;
  else refuse(found, `label_ids.${unknown}`);
}

/** Those that exist, in their order. They cannot be deleted before the transaction ends. */
async function lockGroups(
  tx: Transaction,
  owner: Pick<AssistantGroupRow, 'userId' | 'kind'>,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const wanted = { id: [...ids], ...owner };
  const groups = await tx.em.find(AssistantGroup, wanted, {
    lockMode: LockMode.PESSIMISTIC_READ,
    orderBy: { id: 'asc' },
  });
  return groups.map(({ id }) => id);
}

function refuse(found: FoundReferences, field: string): void {
  Object.assign(found.faults, fieldFault(field, wording.selected));
}
