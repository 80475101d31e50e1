/** Loads what a voice process needs for a call: the frozen configuration, opened keys, and the trunk. */
import { readHostPort, type HostPort } from '@parley/contracts';
import {
  statement,
  type StoredCallerIdentity,
  type LiveCallRow,
  type ProviderRow,
  type TrunkRow,
  type UserRow,
} from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import {
  knowledgeOf,
  loadKnowledge,
  type AssistantKnowledge,
  type KnowledgeById,
} from '../knowledge/knowledge-of-assistant.ts';
import { openTools, type CallTool } from '../tools/assistant-tools.ts';
import { rankRecognisers } from '../lookups/providers/rank-recognisers.rules.ts';
import {
  loadRecordedPhrases,
  type CallPhrase,
  type PhrasesByAssistant,
} from '../recordings/recorded-phrases-of-assistants.ts';
import { recordingKey } from '../recordings/recording-key.ts';
import { DomainError } from '../shared/domain-error.ts';
import type {
  CallAnswering,
  CallConfiguration,
  FrozenSpeaker,
  FrozenResource,
} from './call-configuration.ts';
import { builtInVariables, callNote, type CallContext } from './call-context.rules.ts';

/** Access to a provider. Never logged, never stored. */
export interface ProviderAccount {
  providerId: number;
  providerName: string;
  kind: ProviderRow['kind'];
  baseUrl: string | null;
  apiKey: string | null;
  /** The model that transcribes, for `openai-compatible`; null: not known. */
  transcriptionModel: string | null;
  /** True if the server converts its speech to the requested sample rate. */
  convertsSampleRate: boolean;
}
/** A voice or a model, with its provider. Never logged, never stored. */
export type ProviderAccess = FrozenResource & ProviderAccount;

/** A SIP trunk with its opened password. Never logged, never stored. */
export interface TrunkAccess extends Pick<
  TrunkRow,
  | 'id'
  | 'name'
  | 'host'
  | 'port'
  | 'transport'
  | 'tlsVerify'
  | 'mediaEncryption'
  | 'codecs'
  | 'username'
  | 'authUsername'
  | 'rtpTimeoutSeconds'
  | 'dtmf'
  | 'numberFormat'
  | 'defaultCountry'
  | 'outboundCallerHeader'
  | 'incomingRefer'
  | 'fromUser'
  | 'fromName'
> {
  otherHosts: HostPort[];
  password: string | null;
  /** An operator added it, so that hosts of the installation's own network are allowed. */
  isOperators: boolean;
  /** The account whose outbound calls the carrier streams to us, in place of this trunk; null: calls leave over the trunk. */
  streamingAccountId: number | null;
}

/** An assistant with the access that its conversation needs. Holds keys: never logged, never stored. */
export interface AssistantForVoice {
  assistant: FrozenSpeaker['assistant'];
  language: FrozenSpeaker['language'];
  voice: ProviderAccess;
  model: ProviderAccess;
  /** The models that replace it when it fails, in order. */
  fallbackModels: ProviderAccess[];
  /** The recognisers that may transcribe, best first. */
  recognisers: ProviderAccount[];
  /** The built-in variables, overridden by those of the assistant, overridden by those of the request. */
  variables: Record<string, unknown>;
  /** A note about the call for a language model, to be added to the prompt. */
  callNote: string;
  /** The text of its knowledge base, to be added to the prompt; empty for none. */
  knowledgeText: string;
  /** The tools of the assistant, with opened secrets. */
  tools: CallTool[];
  /** The sentences that have a recording. */
  recordedPhrases: readonly CallPhrase[];
}

/** A live call with its first assistant. Holds keys and passwords: never logged, never stored. */
export interface CallForVoice extends AssistantForVoice {
  callId: number;
  createdAt: Date;
  userId: number;
  /** The owner is an operator, whose webhooks and tools may reach the private addresses of WEBHOOK_ALLOW_PRIVATE. */
  isOperators: boolean;
  type: LiveCallRow['type'];
  /** The Call-ID of the only INVITE. A web call has one that is never sent. */
  sipCallId: string;
  /** E.164 with `+`; empty for a web call. */
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  /** The assistants that may take the call over. */
  others: AssistantForVoice[];
  /** What happens before or instead of a conversation; null: the assistant talks. */
  answering: CallAnswering | null;
  /** Null for a web call. */
  trunk: TrunkAccess | null;
  /** The key of the recording; null when the assistant does not record. */
  recordingKey: string | null;
}

interface LiveRow extends Pick<LiveCallRow, 'callId' | 'userId' | 'type' | 'sipCallId' | 'trunkId'> {
  createdAt: Date;
  userRole: UserRow['role'];
  configuration: CallConfiguration;
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  divertedFrom: string | null;
  callerName: string | null;
  callerIdentity: StoredCallerIdentity | null;
  campaignId: number | null;
  campaignName: string | null;
  inputVariables: Record<string, unknown>;
}

/** The facts of a call that its assistants know. */
export type SpeakerFacts = Pick<CallContext, 'callId' | 'type'> &
  Pick<
    LiveRow,
    | 'userId'
    | 'clientPhoneNumber'
    | 'assistantPhoneNumber'
    | 'divertedFrom'
    | 'callerName'
    | 'callerIdentity'
    | 'campaignId'
    | 'campaignName'
    | 'inputVariables'
  >;

/** The facts about the call that all its assistants share. */
type SharedContext = Pick<CallContext, 'at' | 'previous'> & {
  known: KnowledgeById;
  recorded: PhrasesByAssistant;
};

interface PreviousCallsRow {
  count: number;
  lastAt: Date | null;
}

const selectLiveCall = statement<LiveRow>(
  'load_call_for_voice',
  `select l.call_id, l.user_id, l.type, l.sip_call_id, l.trunk_id, c.created_at, c.configuration,
     c.assistant_phone_number, c.client_phone_number, c.diverted_from, c.caller_name, c.caller_identity, c.campaign_id, c.campaign_name, c.input_variables,
     u.role as user_role
   from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
     join users u on u.id = l.user_id
   where l.call_id = $1`,
);
/** Answered calls with a number, counted up to a hundred. */
const selectPreviousCalls = statement<PreviousCallsRow>(
  'previous_calls',
  `select count(*)::int as count, max(created_at) as last_at from (
     select created_at from calls
     where user_id = $1 and client_phone_number = $2 and created_at < $3 and answered_at is not null
     order by created_at desc limit 100) earlier`,
);
const selectTrunk = statement<
  TrunkRow & { ownerRole: UserRow['role'] | null; streamingAccountId: number | null }
>(
  'load_trunk',
  `select t.*, u.role as owner_role, (
     select min(a.id) from carrier_accounts a
     where a.trunk_id = t.id and a.connection ->> 'outboundWay' = 'media_stream') as streaming_account_id
   from trunks t left join users u on u.id = t.user_id where t.id = $1`,
);
const selectProviders = statement<ProviderRow>(
  'load_providers',
  `select * from providers where id = any($1::bigint[])`,
);
/** The providers with these ids, and all that a user may use. */
export const selectCallProviders = statement<ProviderRow>(
  'load_call_providers',
  `select * from providers where id = any($2::bigint[]) or user_id is null or user_id = $1 order by id`,
);

/** @throws DomainError `not-found` when the call is not live any more, or its trunk or a provider was removed */
export async function loadCallForVoice(ctx: CoreContext, callId: number): Promise<CallForVoice> {
  const [row] = await ctx.db.query(selectLiveCall, [callId]);
  if (!row) throw new DomainError('not-found', 'The call has ended.');
  const { others = [], answering = null, ...first } = row.configuration;
  const speakers = [first, ...others];
  const [providers, trunk, previous, known, recorded] = await Promise.all([
    ctx.db.query(selectCallProviders, [
      row.userId,
      speakers.flatMap(({ voice, model }) => [voice.providerId, model.providerId]),
    ]),
    row.trunkId === null ? null : openTrunk(ctx, row.trunkId),
    countPreviousCalls(ctx, row),
    loadKnowledge(
      ctx.db,
      row.userId,
      speakers.map(({ assistant }) => assistant),
    ),
    loadRecordedPhrases(
      ctx.db,
      speakers.map(({ assistant }) => assistant.id),
    ),
  ]);
  const shared = { at: now(ctx), previous, known, recorded };
  return {
    ...openSpeaker(ctx, row, { speaker: first, providers, shared }),
    others: openOthers(ctx, row, { speakers: others, providers, shared }),
    callId: row.callId,
    createdAt: row.createdAt,
    userId: row.userId,
    isOperators: row.userRole === 'operator',
    type: row.type,
    sipCallId: row.sipCallId,
    assistantPhoneNumber: row.assistantPhoneNumber,
    clientPhoneNumber: row.clientPhoneNumber,
    answering,
    trunk,
    recordingKey: first.assistant.isRecorded ? recordingKey(row.callId, row.createdAt) : null,
  };
}

async function countPreviousCalls(
  ctx: CoreContext,
  { userId, clientPhoneNumber, createdAt }: LiveRow,
): Promise<PreviousCallsRow> {
  const none = { count: 0, lastAt: null };
  // A caller who withholds the number, or talks in a browser, cannot be recognised.
  if (!clientPhoneNumber.startsWith('+')) return none;
  const [row] = await ctx.db.query(selectPreviousCalls, [userId, clientPhoneNumber, createdAt]);
  return row ?? none;
}

interface SpeakerMeans {
  providers: readonly ProviderRow[];
  shared: SharedContext;
}

/** @throws DomainError `not-found` when one of its providers was removed */
export function openSpeaker(
  ctx: CoreContext,
  row: SpeakerFacts,
  { speaker, providers, shared }: SpeakerMeans & { speaker: FrozenSpeaker },
): AssistantForVoice {
  const { assistant, language } = speaker;
  const context = callContext(row, speaker, shared);
  const knowledge = knowledgeOf(assistant, shared.known);
  const usable = providers.filter(({ userId }) => userId === null || userId === row.userId);
  return {
    assistant,
    language,
    voice: openProvider(ctx, speaker.voice, providers),
    model: openProvider(ctx, speaker.model, providers),
    fallbackModels: openFallbackModels(ctx, speaker, usable),
    recognisers: openRecognisers(ctx, speaker, usable),
    variables: { ...builtInVariables(context), ...assistant.variables, ...row.inputVariables },
    callNote: callNote(context),
    knowledgeText: knowledge?.promptText ?? '',
    tools: [...knowledgeTools(knowledge, language.iso2), ...openTools(ctx.secretBox, assistant.tools)],
    recordedPhrases: shared.recorded.get(assistant.id) ?? [],
  };
}

/** First in the list: no tool of the owner may take its name. */
function knowledgeTools(knowledge: AssistantKnowledge | null, language: string): CallTool[] {
  if (!knowledge || knowledge.promptText !== null) return [];
  const { knowledgebaseId, name, description } = knowledge;
  return [
    {
      type: 'search_knowledge_base',
      knowledgebaseId,
      description: description === null ? `"${name}"` : `"${name}": ${description}`,
      language,
    },
  ];
}

function callContext(
  row: SpeakerFacts,
  { assistant, language }: FrozenSpeaker,
  shared: SharedContext,
): CallContext {
  const { callId, type, campaignId, campaignName } = row;
  return {
    ...shared,
    callId,
    type,
    customerPhone: row.clientPhoneNumber,
    assistantPhone: row.assistantPhoneNumber,
    divertedFrom: row.divertedFrom,
    callerName: row.callerName,
    callerIdentity: row.callerIdentity,
    assistantName: assistant.name,
    campaign: campaignId === null ? null : { id: campaignId, name: campaignName ?? '' },
    timezone: assistant.timezone,
    language: language.iso2,
  };
}

/** An assistant whose provider was removed cannot take the call over. */
function openOthers(
  ctx: CoreContext,
  row: LiveRow,
  { speakers, ...about }: SpeakerMeans & { speakers: readonly FrozenSpeaker[] },
): AssistantForVoice[] {
  return speakers.flatMap((speaker) => {
    try {
      return [openSpeaker(ctx, row, { speaker, ...about })];
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'not-found') throw error;
      return [];
    }
  });
}

/** @throws DomainError `not-found` when one of the providers was removed */
export async function openProviders<Resources extends readonly FrozenResource[]>(
  ctx: CoreContext,
  resources: readonly [...Resources],
): Promise<{ [Place in keyof Resources]: ProviderAccess }> {
  const providers = await ctx.db.query(selectProviders, [resources.map(({ providerId }) => providerId)]);
  // The compiler does not know that the map of a tuple has the same length.
  return resources.map((resource) => openProvider(ctx, resource, providers)) as {
    [Place in keyof Resources]: ProviderAccess;
  };
}

/** Without those whose provider was removed. */
function openFallbackModels(
  ctx: CoreContext,
  { fallbackModels = [] }: FrozenSpeaker,
  usable: readonly ProviderRow[],
): ProviderAccess[] {
  const ids = new Set(usable.map(({ id }) => id));
  return fallbackModels
    .filter(({ providerId }) => ids.has(providerId))
    .map((model) => openProvider(ctx, model, usable));
}

function openRecognisers(
  ctx: CoreContext,
  { assistant, model }: FrozenSpeaker,
  usable: readonly ProviderRow[],
): ProviderAccount[] {
  const ranked = rankRecognisers(usable, {
    chosenId: assistant.transcriberProviderId,
    modelProviderId: model.providerId,
  });
  return ranked.map((provider) => openAccount(ctx, provider));
}

function openProvider(
  ctx: CoreContext,
  resource: FrozenResource,
  providers: readonly ProviderRow[],
): ProviderAccess {
  const provider = providers.find(({ id }) => id === resource.providerId);
  if (!provider) throw new DomainError('not-found', `The provider of "${resource.name}" was removed.`);
  return { ...resource, ...openAccount(ctx, provider) };
}

function openAccount(ctx: CoreContext, provider: ProviderRow): ProviderAccount {
  const { id: providerId, name: providerName, kind, baseUrl, apiKeySealed } = provider;
  const apiKey = apiKeySealed === null ? null : ctx.secretBox.open(apiKeySealed);
  const { transcriptionModel, convertsSampleRate } = provider;
  return { providerId, providerName, kind, baseUrl, apiKey, transcriptionModel, convertsSampleRate };
}

async function openTrunk(ctx: CoreContext, trunkId: number): Promise<TrunkAccess> {
  const [trunk] = await ctx.db.query(selectTrunk, [trunkId]);
  if (!trunk) throw new DomainError('not-found', 'The line of this call was removed.');
  const { id, name, host, port, transport, tlsVerify, mediaEncryption, codecs } = trunk;
  const { username, authUsername, rtpTimeoutSeconds, dtmf } = trunk;
  const { numberFormat, defaultCountry, outboundCallerHeader, incomingRefer, fromUser, fromName } = trunk;
  const password = trunk.passwordSealed === null ? null : ctx.secretBox.open(trunk.passwordSealed);
  const isOperators = trunk.userId === null || trunk.ownerRole === 'operator';
  return {
    id,
    name,
    host,
    port,
    transport,
    tlsVerify,
    otherHosts: trunk.otherHosts.flatMap((one) => readHostPort(one) ?? []),
    mediaEncryption,
    codecs,
    username,
    authUsername,
    password,
    isOperators,
    streamingAccountId: trunk.streamingAccountId,
    rtpTimeoutSeconds,
    dtmf,
    numberFormat,
    defaultCountry,
    outboundCallerHeader,
    incomingRefer,
    fromUser,
    fromName,
  };
}
