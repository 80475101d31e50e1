/** Loads what a voice process needs for a call: the frozen configuration, opened keys, and the trunk. */
import { statement, type LiveCallRow, type ProviderRow, type TrunkRow, type UserRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { openTools, type CallTool } from '../tools/assistant-tools.ts';
import { rankRecognisers } from '../lookups/providers/rank-recognisers.rules.ts';
import { recordingKey } from '../recordings/recording-key.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { CallConfiguration, FrozenParty, FrozenResource } from './call-configuration.ts';

/** Access to a provider. Never logged, never stored. */
export interface ProviderAccount {
  providerId: number;
  providerName: string;
  kind: ProviderRow['kind'];
  baseUrl: string | null;
  apiKey: string | null;
}
/** A voice or a model, with its provider. Never logged, never stored. */
export type ProviderAccess = FrozenResource & ProviderAccount;

/** A SIP trunk with its opened password. Never logged, never stored. */
export interface TrunkAccess extends Pick<
  TrunkRow,
  'id' | 'name' | 'host' | 'port' | 'transport' | 'username'
> {
  password: string | null;
  /** An operator added it, so that hosts of the installation's own network are allowed. */
  isOperators: boolean;
}

/** An assistant with the access that its conversation needs. Holds keys: never logged, never stored. */
export interface AssistantForVoice {
  assistant: FrozenParty['assistant'];
  language: FrozenParty['language'];
  voice: ProviderAccess;
  model: ProviderAccess;
  /** The recognisers that may transcribe, best first. */
  recognisers: ProviderAccount[];
  /** The assistant's variables, overridden by those of the request. */
  variables: Record<string, unknown>;
  /** The tools of the assistant, with opened secrets. */
  tools: CallTool[];
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
  inputVariables: Record<string, unknown>;
}

const selectLiveCall = statement<LiveRow>(
  'load_call_for_voice',
  `select l.call_id, l.user_id, l.type, l.sip_call_id, l.trunk_id, c.created_at, c.configuration,
     c.assistant_phone_number, c.client_phone_number, c.input_variables, u.role as user_role
   from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
     join users u on u.id = l.user_id
   where l.call_id = $1`,
);
const selectTrunk = statement<TrunkRow & { ownerRole: UserRow['role'] | null }>(
  'load_trunk',
  `select t.*, u.role as owner_role from trunks t left join users u on u.id = t.user_id where t.id = $1`,
);
const selectProviders = statement<ProviderRow>(
  'load_providers',
  `select * from providers where id = any($1::bigint[])`,
);
/** The providers of the call, and all that its owner may use. */
const selectCallProviders = statement<ProviderRow>(
  'load_call_providers',
  `select * from providers where id = any($2::bigint[]) or user_id is null or user_id = $1 order by id`,
);

/** @throws DomainError `not-found` when the call is not live any more, or its trunk or a provider was removed */
export async function loadCallForVoice(ctx: CoreContext, callId: number): Promise<CallForVoice> {
  const [row] = await ctx.db.query(selectLiveCall, [callId]);
  if (!row) throw new DomainError('not-found', 'The call has ended.');
  const { others = [], ...first } = row.configuration;
  const parties = [first, ...others];
  const [providers, trunk] = await Promise.all([
    ctx.db.query(selectCallProviders, [
      row.userId,
      parties.flatMap(({ voice, model }) => [voice.providerId, model.providerId]),
    ]),
    row.trunkId === null ? null : openTrunk(ctx, row.trunkId),
  ]);
  return {
    ...openParty(ctx, row, { party: first, providers }),
    others: openOthers(ctx, row, { parties: others, providers }),
    callId: row.callId,
    createdAt: row.createdAt,
    userId: row.userId,
    isOperators: row.userRole === 'operator',
    type: row.type,
    sipCallId: row.sipCallId,
    assistantPhoneNumber: row.assistantPhoneNumber,
    clientPhoneNumber: row.clientPhoneNumber,
    trunk,
    recordingKey: first.assistant.isRecorded ? recordingKey(row.callId, row.createdAt) : null,
  };
}

/** @throws DomainError `not-found` when one of its providers was removed */
function openParty(
  ctx: CoreContext,
  row: LiveRow,
  { party, providers }: { party: FrozenParty; providers: readonly ProviderRow[] },
): AssistantForVoice {
  const { assistant, language } = party;
  const usable = providers.filter(({ userId }) => userId === null || userId === row.userId);
  return {
    assistant,
    language,
    voice: openProvider(ctx, party.voice, providers),
    model: openProvider(ctx, party.model, providers),
    recognisers: openRecognisers(ctx, party, usable),
    variables: { ...assistant.variables, ...row.inputVariables },
    tools: openTools(ctx.secretBox, assistant.tools),
  };
}

/** An assistant whose provider was removed cannot take the call over. */
function openOthers(
  ctx: CoreContext,
  row: LiveRow,
  { parties, providers }: { parties: readonly FrozenParty[]; providers: readonly ProviderRow[] },
): AssistantForVoice[] {
  return parties.flatMap((party) => {
    try {
      return [openParty(ctx, row, { party, providers })];
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

function openRecognisers(
  ctx: CoreContext,
  { assistant, model }: FrozenParty,
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
  return { providerId, providerName, kind, baseUrl, apiKey };
}

async function openTrunk(ctx: CoreContext, trunkId: number): Promise<TrunkAccess> {
  const [trunk] = await ctx.db.query(selectTrunk, [trunkId]);
  if (!trunk) throw new DomainError('not-found', 'The line of this call was removed.');
  const { id, name, host, port, transport, username, passwordSealed, userId, ownerRole } = trunk;
  const password = passwordSealed === null ? null : ctx.secretBox.open(passwordSealed);
  const isOperators = userId === null || ownerRole === 'operator';
  return { id, name, host, port, transport, username, password, isOperators };
}
