/** Everything a voice process needs to hold a call: the frozen assistant, keys in the clear, the line to use. */
import { statement, type LiveCallRow, type ProviderRow, type TrunkRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { recordingKey } from '../recordings/recording-key.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { CallConfiguration, FrozenResource } from './call-configuration.ts';

/** A voice or a model, with what is needed to reach its provider. Never logged, never stored. */
export interface ProviderAccess extends FrozenResource {
  providerName: string;
  kind: ProviderRow['kind'];
  baseUrl: string | null;
  apiKey: string | null;
}

/** A SIP peer, with its password in the clear. Never logged, never stored. */
export interface TrunkAccess extends Pick<
  TrunkRow,
  'id' | 'name' | 'host' | 'port' | 'transport' | 'username'
> {
  password: string | null;
}

/** A live call as voice sees it. Holds keys and passwords: never logged, never stored. */
export interface CallForVoice {
  callId: number;
  createdAt: Date;
  userId: number;
  type: LiveCallRow['type'];
  /** The Call-ID of the one INVITE of this call. For a web call a name that is never sent. */
  sipCallId: string;
  /** E.164 with `+`; empty for a web call. */
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  assistant: CallConfiguration['assistant'];
  language: CallConfiguration['language'];
  voice: ProviderAccess;
  model: ProviderAccess;
  /** Null for a web call. */
  trunk: TrunkAccess | null;
  /** The assistant's own, overridden by those that came with the request. */
  variables: Record<string, unknown>;
  /** Where the recording goes; null when the assistant does not record. */
  recordingKey: string | null;
}

interface LiveRow extends Pick<LiveCallRow, 'callId' | 'userId' | 'type' | 'sipCallId' | 'trunkId'> {
  createdAt: Date;
  configuration: CallConfiguration;
  assistantPhoneNumber: string;
  clientPhoneNumber: string;
  inputVariables: Record<string, unknown>;
}

const selectLiveCall = statement<LiveRow>(
  'load_call_for_voice',
  `select l.call_id, l.user_id, l.type, l.sip_call_id, l.trunk_id, c.created_at, c.configuration,
     c.assistant_phone_number, c.client_phone_number, c.input_variables
   from live_calls l join calls c on c.id = l.call_id and c.created_at = l.call_created_at
   where l.call_id = $1`,
);
const selectTrunk = statement<TrunkRow>('load_trunk', `select * from trunks where id = $1`);
const selectProviders = statement<ProviderRow>(
  'load_providers',
  `select * from providers where id = any($1::bigint[])`,
);

/**
 * @throws DomainError `not-found` when the call is not live any more, or its trunk or a provider was removed
 */
export async function loadCallForVoice(ctx: CoreContext, callId: number): Promise<CallForVoice> {
  const [row] = await ctx.db.query(selectLiveCall, [callId]);
  if (!row) throw new DomainError('not-found', 'The call has ended.');
  const { assistant, language, voice, model } = row.configuration;
  const providers = await ctx.db.query(selectProviders, [[voice.providerId, model.providerId]]);
  return {
    callId: row.callId,
    createdAt: row.createdAt,
    userId: row.userId,
    type: row.type,
    sipCallId: row.sipCallId,
    assistantPhoneNumber: row.assistantPhoneNumber,
    clientPhoneNumber: row.clientPhoneNumber,
    assistant,
    language,
    voice: openProvider(ctx, voice, providers),
    model: openProvider(ctx, model, providers),
    trunk: row.trunkId === null ? null : await openTrunk(ctx, row.trunkId),
    variables: { ...assistant.variables, ...row.inputVariables },
    recordingKey: assistant.isRecorded ? recordingKey(row.callId, row.createdAt) : null,
  };
}

function openProvider(
  ctx: CoreContext,
  resource: FrozenResource,
  providers: readonly ProviderRow[],
): ProviderAccess {
  const provider = providers.find(({ id }) => id === resource.providerId);
  if (!provider) throw new DomainError('not-found', `The provider of "${resource.name}" was removed.`);
  const { name: providerName, kind, baseUrl, apiKeySealed } = provider;
  const apiKey = apiKeySealed === null ? null : ctx.secretBox.open(apiKeySealed);
  return { ...resource, providerName, kind, baseUrl, apiKey };
}

async function openTrunk(ctx: CoreContext, trunkId: number): Promise<TrunkAccess> {
  const [trunk] = await ctx.db.query(selectTrunk, [trunkId]);
  if (!trunk) throw new DomainError('not-found', 'The line of this call was removed.');
  const { id, name, host, port, transport, username, passwordSealed } = trunk;
  const password = passwordSealed === null ? null : ctx.secretBox.open(passwordSealed);
  return { id, name, host, port, transport, username, password };
}
