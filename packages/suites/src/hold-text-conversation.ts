/** Holds one conversation in text: turn by turn through the endpoint for written replies. */
import type { Conversation, SpokenTurn, UsedTool } from './conversation.ts';
import type { SimulatedCaller } from './simulated-callers.ts';
import type { SuiteContext } from './suite-context.ts';

/** Who talks with whom. */
export interface TextConversation {
  assistantId: number;
  caller: SimulatedCaller;
  variables: Record<string, unknown>;
  runTools: boolean;
  /** The maximum of turns of the caller, who then hangs up. */
  maxTurns: number;
}

/** The assistant says first what it says first in a call; then both take turns until one of them ends it. */
export async function holdTextConversation(
  context: SuiteContext,
  { assistantId, caller, variables, runTools, maxTurns }: TextConversation,
): Promise<Conversation> {
  const turns: SpokenTurn[] = [];
  const held = { tools: [] as UsedTool[], latencies: [] as number[], firstWords: [] as number[] };
  let endedBy: Conversation['endedBy'] = null;
  let collected: Record<string, unknown> = {};
  let cost: number | null = 0;
  const listen = async (): Promise<void> => {
    const answer = await context.server.reply(
      { assistantId, messages: messagesOf(turns), variables, runTools },
      context.signal,
    );
    const { reply, is_ended: isEnded, tool_calls: uses, ...times } = answer;
    if (turns.length > 0) held.latencies.push(times.duration_ms);
    if (times.first_words_ms !== null) held.firstWords.push(times.first_words_ms);
    held.tools.push(...uses.map(({ is_ok: isOk, ...use }) => ({ ...use, isOk })));
    collected = answer.variables;
    cost = cost === null || !times.are_costs_complete ? null : cost + times.total_cost;
    if (reply !== '') turns.push({ speaker: 'assistant', text: reply });
    if (isEnded) endedBy = 'assistant';
  };
  await listen();
  for (let turn = 0; endedBy === null; turn += 1) {
    const words = turn < maxTurns ? await caller.next(turns, context.signal) : null;
    if (words === null) {
      endedBy = 'caller';
      break;
    }
    turns.push({ speaker: 'caller', text: words });
    await listen();
  }
  return { turns, ...held, endedBy, variables: collected, cost, call: null };
}

/** The longest message that the endpoint takes, characters. */
const MAX_CHARACTERS = 4000;

function messagesOf(turns: readonly SpokenTurn[]): { role: 'user' | 'assistant'; content: string }[] {
  return turns.map(({ speaker, text }) => ({
    role: speaker === 'caller' ? 'user' : 'assistant',
    content: text.slice(0, MAX_CHARACTERS),
  }));
}
