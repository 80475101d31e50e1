/** What is stored of a call when its line has ended: how it ended, and its conversation if there was one. */
import type { AnsweredBy } from '@parley/conversation';
import type { Log } from '@parley/runtime';
import type { CallLeg } from '@parley/telephony';
import type { CallBridge } from './bridge/call-bridge.ts';
import type { CallConversations } from './call-conversations.ts';
import type { CallEndDecision } from './call-end.rules.ts';
import type { CallFacts } from './call-facts.ts';
import type { CallRecording } from './call-recording.ts';
import { afterEarlier, describeConversation, storedQuality, storedToolCall } from './conversation-record.ts';
import type { ResumedCallState } from './resumed-call.ts';
import type { CallUsage } from './usage/call-usage.ts';

/** A call whose line has ended. */
export interface EndedCall {
  leg: CallLeg;
  log: Log;
  bridge: Pick<CallBridge, 'end'>;
  facts: CallFacts;
  conversation: CallConversations;
  usage: CallUsage;
  /** Null: nothing was recorded. */
  recording: CallRecording | null;
  /** The call of a lost process, with which this one went on. */
  resumed: ResumedCallState | undefined;
  /** Milliseconds since 1970; null: it was not answered. */
  answeredAtMs: number | null;
  /** Null: the conversation has not found out who answered. */
  verdict: AnsweredBy | null;
}

/** How and when it ended. `detail` is for the timeline. */
export interface CallEnding extends CallEndDecision {
  at: Date;
  detail: Record<string, unknown>;
}

/** Ends the conversation and stores everything, or at least the end. The facts may still be on their way when this resolves. */
export async function storeCallEnd(call: EndedCall, ending: CallEnding): Promise<void> {
  try {
    call.bridge.end();
    await storeWhole(call, ending);
  } catch (error) {
    call.log.error({ err: error }, 'The end of a call is stored without its conversation');
    const { event, at, detail } = ending;
    call.facts.event(event, { at, detail });
  }
}

async function storeWhole(call: EndedCall, { event, reason, at, detail }: CallEnding): Promise<void> {
  const { leg, facts, conversation, recording, resumed, answeredAtMs, verdict } = call;
  const { turns, drafts, quality, toolUses, notes, hasTalkedToAgent } = await conversation.lineEnded();
  const used = call.usage.used();
  if (event !== 'customer-hung-up' && event !== 'assistant-hung-up' && event !== 'ended')
    return facts.event(event, { detail, at, used });
  const recorded = (await recording?.finish()) ?? null;
  facts.note('line_ended', { ...detail, media: leg.media.stats(), drafts, quality: storedQuality(quality) });
  const described = describeConversation(turns, {
    answeredAtMs: answeredAtMs ?? at.getTime(),
    verdict: verdict ?? (hasTalkedToAgent ? 'human' : null),
  });
  facts.finish({
    event,
    at,
    ...afterEarlier(resumed?.progress, { ...described, toolCalls: toolUses.map(storedToolCall) }),
    variables: notes,
    recording: recorded,
    endedReason: reason,
    used,
  });
}
