/**
 * The configuration of a call, copied from its assistant when the call begins, so that later changes of the assistant
 * do not affect it. It contains no provider keys; they are opened when voice loads the call.
 */
import { statement, type AssistantRow, type AssistantTool, type StoredStream, type Tx } from '@parley/db';

/** A voice or a model with its provider. */
export interface FrozenResource {
  id: number;
  name: string;
  /** The provider's name for it. */
  wireName: string;
  providerId: number;
}

/** Settings that calls of earlier versions do not have. */
type LaterSettings =
  | 'initialMessageDelaySeconds'
  | 'isInitialMessageInterruptible'
  | 'optOutKey'
  | 'disclosureMessage'
  | 'redact'
  | 'fallbackLlmModels';

/** The assistant's settings that affect a call. `tools` has those of the account too. */
export type FrozenAssistant = Omit<
  AssistantRow,
  'deletedAt' | 'erasedAt' | 'createdAt' | 'updatedAt' | 'widgetSettings' | 'toolIds' | LaterSettings
> &
  Partial<Pick<AssistantRow, LaterSettings>>;

/** An assistant with the names of its references. */
export interface FrozenSpeaker {
  assistant: FrozenAssistant;
  voice: FrozenResource;
  model: FrozenResource;
  /** The models that replace it when it fails, in order. Absent where there are none. */
  fallbackModels?: FrozenResource[];
  language: { id: number; name: string; iso2: string };
}

/** What happens before or instead of a conversation, by the route of the called number. The first assistant speaks the text. */
export type CallAnswering =
  | { type: 'message'; text: string }
  | { type: 'voicemail'; text: string; maxSeconds: number }
  /** The assistants are among those of the call. */
  | { type: 'menu'; text: string; choices: { key: string; assistantId: number }[] }
  /** An agent of the user talks over a media stream; the assistant takes over if the agent fails and the stream says so. */
  | ({ type: 'stream' } & StoredStream);

/** The assistant of a call, and the assistants that may take the call over. */
export interface CallConfiguration extends FrozenSpeaker {
  /** Absent where there are none. */
  others?: FrozenSpeaker[];
  /** Absent where the assistant talks. */
  answering?: CallAnswering;
  /** The results that the campaign defines. Absent where there are none. */
  dispositions?: string[];
}

/** Maximum number of assistants that may hand over to each other in one call, including the first. */
const MAX_SPEAKERS = 10;

interface ConfigurationRow extends AssistantRow {
  voiceName: string;
  voiceWireName: string;
  voiceProviderId: number;
  modelName: string;
  modelWireName: string;
  modelProviderId: number;
  languageName: string;
  languageIso2: string;
}

/** The ids are those of a draft; null: those of the stored assistant. */
const selectConfiguration = statement<ConfigurationRow>(
  'call_configuration',
  `select a.*, v.name as voice_name, v.wire_name as voice_wire_name, v.provider_id as voice_provider_id,
     m.name as model_name, m.wire_name as model_wire_name, m.provider_id as model_provider_id,
     g.name as language_name, g.iso_2 as language_iso_2
   from assistants a
   join voices v on v.id = coalesce($3::bigint, a.voice_id)
   join llm_models m on m.id = coalesce($4::bigint, a.llm_model_id)
   join languages g on g.id = coalesce($5::bigint, a.language_id)
   where a.id = $1 and a.user_id = $2 and a.deleted_at is null`,
);

/** Models that were removed since the assistant was saved are left out. */
const selectFallbackModels = statement<FrozenResource>(
  'call_fallback_models',
  `select m.id, m.name, m.wire_name, m.provider_id
   from llm_models m join providers p on p.id = m.provider_id
   where m.name = any($1::text[]) and (p.user_id is null or p.user_id = $2)
   order by array_position($1::text[], m.name)`,
);

/** The assistant of a user. */
interface SpeakerAim {
  assistantId: number;
  userId: number;
  /** Replaces the settings of the stored assistant. The caller has checked that its user may use what it refers to. */
  draft?: AssistantRow | undefined;
}

/** In the order of the assistant's list. */
const selectAccountTools = statement<{ tool: AssistantTool }>(
  'call_account_tools',
  `select tool from tools where user_id = $2 and id = any($1::bigint[])
   order by array_position($1::bigint[], id)`,
);

/**
 * What is frozen. `disclosureMessage`: that of the campaign, which replaces those of the assistants. `dispositions`: those of
 * the campaign. `menuAssistantIds`: the assistants that the caller can choose.
 */
export type FreezeAim = SpeakerAim &
  Partial<Pick<AssistantRow, 'disclosureMessage'>> & {
    menuAssistantIds?: readonly number[];
    dispositions?: string[];
  };

/** @returns null when the assistant does not exist, is deleted or belongs to another user */
export async function freezeConfiguration(tx: Tx, about: FreezeAim): Promise<CallConfiguration | null> {
  const first = await freezeSpeaker(tx, about);
  if (!first) return null;
  const others = await freezeOthers(tx, first, about);
  const message = about.disclosureMessage ?? null;
  const [disclosing, ...rest] = message === null ? [first, ...others] : disclose([first, ...others], message);
  const { dispositions = [] } = about;
  return {
    ...first,
    ...disclosing,
    ...(rest.length > 0 && { others: rest }),
    ...(dispositions.length > 0 && { dispositions }),
  };
}

function disclose(speakers: readonly FrozenSpeaker[], disclosureMessage: string): FrozenSpeaker[] {
  return speakers.map((speaker) => ({ ...speaker, assistant: { ...speaker.assistant, disclosureMessage } }));
}

/** The assistants to which the call can be handed over: not deleted, active, and of the same owner. */
async function freezeOthers(
  tx: Tx,
  first: FrozenSpeaker,
  { userId, menuAssistantIds = [] }: FreezeAim,
): Promise<FrozenSpeaker[]> {
  const speakers = new Map([[first.assistant.id, first]]);
  // The iteration includes entries that are added during it.
  for (const { assistant } of speakers.values()) {
    const chosen = assistant === first.assistant ? menuAssistantIds : [];
    for (const assistantId of [...chosen, ...handOverTargets(assistant)]) {
      if (speakers.has(assistantId) || speakers.size >= MAX_SPEAKERS) continue;
      const other = await freezeSpeaker(tx, { assistantId, userId });
      if (other?.assistant.status === 'active') speakers.set(assistantId, other);
    }
  }
  return [...speakers.values()].slice(1);
}

function handOverTargets({ tools }: FrozenAssistant): number[] {
  return tools.flatMap(({ type, data }) =>
    type === 'assistant_transfer' && typeof data['assistant_id'] === 'number' ? [data['assistant_id']] : [],
  );
}

async function freezeSpeaker(
  tx: Tx,
  { assistantId, userId, draft }: SpeakerAim,
): Promise<FrozenSpeaker | null> {
  const { voiceId = null, llmModelId = null, languageId = null } = draft ?? {};
  const [row] = await tx.query(selectConfiguration, [assistantId, userId, voiceId, llmModelId, languageId]);
  if (!row) return null;
  // In one step: an assistant has some 75 columns, and each step copies them.
  const {
    deletedAt: _d,
    erasedAt: _e,
    createdAt: _c,
    updatedAt: _u,
    widgetSettings: _w,
    voiceName,
    voiceWireName,
    voiceProviderId,
    modelName,
    modelWireName,
    modelProviderId,
    languageName,
    languageIso2,
    toolIds,
    ...settings
  } = draft ? { ...row, ...draft } : row;
  const shared = toolIds.length === 0 ? [] : await tx.query(selectAccountTools, [toolIds, userId]);
  const assistant = { ...settings, tools: [...settings.tools, ...shared.map(({ tool }) => tool)] };
  const { fallbackLlmModels: names } = assistant;
  const fallbackModels = names.length === 0 ? [] : await tx.query(selectFallbackModels, [names, userId]);
  return {
    assistant,
    voice: { id: assistant.voiceId, name: voiceName, wireName: voiceWireName, providerId: voiceProviderId },
    model: {
      id: assistant.llmModelId,
      name: modelName,
      wireName: modelWireName,
      providerId: modelProviderId,
    },
    ...(fallbackModels.length > 0 && { fallbackModels }),
    language: { id: assistant.languageId, name: languageName, iso2: languageIso2 },
  };
}
