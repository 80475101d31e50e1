/** Loads what a voice process needs to answer written messages as an assistant. There is no call, so nothing is frozen. */
import { statement, type UserRow } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { loadKnowledge } from '../knowledge/knowledge-of-assistant.ts';
import { DomainError } from '../shared/domain-error.ts';
import { freezeConfiguration } from './call-configuration.ts';
import { openSpeaker, selectCallProviders, type AssistantForVoice } from './load-call-for-voice.ts';

/** Whose assistant answers, and the variables of the request. */
export interface TextQuestion {
  userId: number;
  assistantId: number;
  variables: Record<string, unknown>;
}

/** The assistant, and whose tools it uses. */
export interface AssistantForText extends AssistantForVoice {
  /** As of a call: the owner is an operator. */
  isOperators: boolean;
}

const selectRole = statement<Pick<UserRow, 'role'>>('role_of_owner', 'select role from users where id = $1');

/** @throws DomainError `not-found` when the assistant or one of its providers does not exist any more */
export async function loadAssistantForText(
  ctx: CoreContext,
  { userId, assistantId, variables }: TextQuestion,
): Promise<AssistantForText> {
  const speaker = await freezeConfiguration(ctx.db, { userId, assistantId });
  if (!speaker) throw new DomainError('not-found', 'Assistant not found');
  const ids = [speaker.voice.providerId, speaker.model.providerId];
  const [providers, [owner], known] = await Promise.all([
    ctx.db.query(selectCallProviders, [userId, ids]),
    ctx.db.query(selectRole, [userId]),
    loadKnowledge(ctx.db, userId, [speaker.assistant]),
  ]);
  const facts = {
    userId,
    callId: null,
    type: 'text' as const,
    clientPhoneNumber: '',
    assistantPhoneNumber: '',
    divertedFrom: null,
    callerName: null,
    callerIdentity: null,
    campaignId: null,
    campaignName: null,
    inputVariables: variables,
  };
  const shared = { at: now(ctx), previous: { count: 0, lastAt: null }, known, recorded: new Map() };
  return {
    ...openSpeaker(ctx, facts, { speaker, providers, shared }),
    isOperators: owner?.role === 'operator',
  };
}
