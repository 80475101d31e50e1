/** Holds one conversation by voice: a real call to a built-in test phone, read when it has ended. */
import type { CallDetail } from '@parley/contracts';
import { pause } from '@parley/runtime';
import type { Conversation } from './conversation.ts';
import type { SuiteContext } from './suite-context.ts';
import { SuiteError } from './suite-error.ts';
import { phones } from './suite-fields.ts';
import { texts } from './suite-texts.ts';

/** Area codes of fictional numbers; calls at the same time have different ones, because a number can be in one call only. */
const AREA_CODES = ['202', '203', '205', '206', '207', '208', '209', '210'];
/** Calls at the same time. */
export const MAX_CALLS = AREA_CODES.length;
const LOOK_MS = 500;
/** After it, the call is hung up. */
const TIME_LIMIT_MS = 15 * 60_000;
const FINAL = new Set<CallDetail['status']>(['completed', 'busy', 'no-answer', 'failed']);

/** Who calls whom. */
export interface PhoneConversation {
  assistantId: number;
  phone: keyof typeof phones;
  variables: Record<string, unknown>;
  /** The index among the concurrent calls, from 0. */
  slot: number;
}

/** @throws SuiteError for a call that does not end */
export async function holdCall(
  context: SuiteContext,
  { assistantId, phone, variables, slot }: PhoneConversation,
): Promise<Conversation> {
  const { server, clock, signal } = context;
  const phoneNumbers = AREA_CODES.map((_, other) => {
    const areaCode = AREA_CODES[(slot + other) % MAX_CALLS] ?? '';
    return `+1${areaCode}55501${phones[phone]}`;
  });
  const callId = await server.placeCall({ assistantId, phoneNumbers, variables });
  const until = clock.monotonic() + TIME_LIMIT_MS;
  for (;;) {
    const call = await server.findCall(callId);
    if (FINAL.has(call.status)) return conversationOf(call);
    if (clock.monotonic() > until) {
      await server.hangUp(callId);
      throw new SuiteError(texts.run.tooLong(callId));
    }
    await pause(clock, LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

/** The record of a call as a conversation. */
export function conversationOf(call: CallDetail): Conversation {
  const answers = call.turns.filter(({ sender }) => sender === 'bot');
  return {
    turns: call.turns.map(({ sender, text }) => ({
      speaker: sender === 'bot' ? ('assistant' as const) : ('caller' as const),
      text,
    })),
    tools: call.tool_calls.map(({ name, arguments: given, is_error: isError, result }) => ({
      name,
      arguments: given,
      isOk: !isError,
      result,
    })),
    latencies: answers.flatMap(({ latency }) => latency['silence'] ?? []),
    firstWords: [],
    endedBy: enderOf(call.ended_by),
    variables: call.variables,
    cost: call.are_costs_complete ? call.total_cost : null,
    call: {
      id: call.id,
      status: call.status,
      outcome: call.outcome,
      endedReason: call.ended_reason,
      duration: call.duration,
      longestSilence: longestSilence(call),
      evaluation: call.evaluation,
    },
  };
}

function enderOf(endedBy: string | null): Conversation['endedBy'] {
  if (endedBy === 'customer') return 'caller';
  return endedBy === 'assistant' || endedBy === 'system' ? endedBy : null;
}

/** From the figures of quality in the event of the hang-up. */
function longestSilence({ events }: CallDetail): number | null {
  const quality = events.find(({ type }) => type === 'line_ended')?.detail['quality'];
  if (typeof quality !== 'object' || quality === null || !('longest_silence_ms' in quality)) return null;
  return typeof quality.longest_silence_ms === 'number' ? quality.longest_silence_ms : null;
}
