/** Looks up what an assistant refers to by id or by name: voice, language, model, phone number. */
import { errorText, fieldFault, wording, type NewAssistant } from '@parley/contracts';
import { statement } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError, type FieldMessages } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';

/** Everything that an assistant points to, found and allowed. */
export interface AssistantReferences {
  ids: { voiceId: number; languageId: number; llmModelId: number; phoneNumberId: number | null };
  language: { iso2: string };
}

const selectVoice = statement<{ id: number }>(
  'reference_voice',
  `select id from voices where id = $1 and mode = $2 and (user_id is null or user_id = $3)`,
);
const selectLanguage = statement<{ id: number; iso2: string }>(
  'reference_language',
  `select id, iso_2 from languages where case when $1::bigint is null then lower(name) = lower($2) else id = $1 end`,
);
const selectModel = statement<{ id: number }>(
  'reference_model',
  `select m.id from llm_models m join providers p on p.id = m.provider_id
   where case when $1::bigint is null then m.name = $2 else m.id = $1 end and (p.user_id is null or p.user_id = $3)`,
);
/** A number that shows as caller ID only cannot ring, and one that rings elsewhere cannot ring here too. */
const selectPhoneNumber = statement<{ id: number }>(
  'reference_phone_number',
  `select n.id from phone_numbers n
   where n.id = $1 and n.user_id = $2 and ($3 <> 'inbound' or (n.type_label <> 'Caller ID' and not exists (
     select 1 from assistants a where a.phone_number_id = n.id and a.type = 'inbound' and a.deleted_at is null)))`,
);

/**
 * Where both an id and a name were sent, the name wins, as everywhere between write and read names.
 *
 * @throws DomainError `invalid` naming every reference that leads nowhere
 */
export async function findAssistantReferences(
  ctx: CoreContext,
  identity: Identity,
  input: NewAssistant,
): Promise<AssistantReferences> {
  const { userId } = identity;
  const languageId = input.language === undefined ? (input.language_id ?? null) : null;
  const modelId = input.llm_model === undefined ? (input.llm_model_id ?? null) : null;
  const numberId = input.phone_number_id ?? null;
  // One after the other: inside a transaction they share one connection.
  const [voice] = await ctx.db.query(selectVoice, [input.voice_id, input.mode, userId]);
  const [language] = await ctx.db.query(selectLanguage, [languageId, input.language ?? null]);
  const [model] = await ctx.db.query(selectModel, [modelId, input.llm_model ?? null, userId]);
  const [number] =
    numberId === null ? [null] : await ctx.db.query(selectPhoneNumber, [numberId, userId, input.type]);
  const faults: FieldMessages = {
    ...(voice ? {} : fieldFault('voice_id', wording.selected)),
    ...(language ? {} : fieldFault(languageId === null ? 'language' : 'language_id', wording.selected)),
    ...(model ? {} : fieldFault(modelId === null ? 'llm_model' : 'llm_model_id', wording.selected)),
    ...(number === undefined ? fieldFault('phone_number_id', wording.selected) : {}),
  };
  if (!voice || !language || !model || number === undefined) {
    throw new DomainError('invalid', errorText.validationFailed, { fields: faults });
  }
  const ids = {
    voiceId: voice.id,
    languageId: language.id,
    llmModelId: model.id,
    phoneNumberId: number?.id ?? null,
  };
  return { ids, language };
}
