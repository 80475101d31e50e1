/** Everything a voice process needs to hold a call: the frozen assistant, keys in the clear, the line to use. */
import type { LiveCallRow, TrunkRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import type { CallConfiguration, FrozenResource } from './call-configuration.ts';

/** A voice or a model, with what is needed to reach its provider. Never logged, never stored. */
export interface ProviderAccess extends FrozenResource {
  providerName: string;
  kind: 'built-in' | 'openai-compatible';
  baseUrl: string | null;
  apiKey: string | null;
}

/** A SIP peer, with its password in the clear. Never logged, never stored. */
export interface TrunkAccess extends Pick<TrunkRow, 'id' | 'name' | 'host' | 'port' | 'transport' | 'username'> {
  password: string | null;
}

export interface CallForVoice {
  callId: number;
  createdAt: Date;
  userId: number;
  type: LiveCallRow['type'];
  /** The Call-ID of the one INVITE of this call. For a web call a name that is never sent. */
  sipCallId: string;
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

/**
 * @throws DomainError `not-found` when the call is not live any more
 */
export async function loadCallForVoice(_ctx: CoreContext, _callId: number): Promise<CallForVoice> {
  throw new Error('coming');
}
