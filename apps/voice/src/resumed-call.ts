/** What a process stores of a call for another one, and what that one makes of it. */
import type { AnsweredBy } from '@parley/conversation';
import type { CallProgress } from '@parley/core';
import type { CallConversations, ResumedConversation, StoredConversation } from './call-conversations.ts';
import { afterEarlier, describeConversation, storedToolCall } from './conversation-record.ts';
import type { CallUsage } from './usage/call-usage.ts';

/** Where the lost process stopped. Times in milliseconds since 1970. */
export interface ResumedCallState {
  progress: CallProgress;
  conversation: StoredConversation;
  answeredAtMs: number;
  /** When the lost process was last known to run. */
  interruptedAtMs: number;
}

/** The conversation at the present time of the call. @param nowMs - milliseconds since 1970 */
export function resumedConversation(
  { conversation, progress, answeredAtMs }: ResumedCallState,
  nowMs: number,
): ResumedConversation {
  return { ...conversation, variables: progress.variables, atMs: nowMs - answeredAtMs };
}

/** The call as it is now. */
interface CallSoFar {
  /** What another process had stored before. */
  resumed: ResumedCallState | undefined;
  conversation: CallConversations;
  usage: CallUsage;
  /** Milliseconds since 1970. */
  answeredAtMs: number;
  verdict: AnsweredBy | null;
  canGoOnElsewhere: boolean;
}

/** For the store. */
export function callProgress(call: CallSoFar): CallProgress {
  const { resumed, conversation, usage, answeredAtMs, verdict, canGoOnElsewhere } = call;
  const described = describeConversation(conversation.transcript(), { answeredAtMs, verdict });
  const toolCalls = conversation.toolUses().map(storedToolCall);
  return {
    ...afterEarlier(resumed?.progress, { ...described, toolCalls }),
    variables: conversation.notes(),
    used: usage.used(),
    conversation: canGoOnElsewhere ? conversation.stored() : null,
  };
}
