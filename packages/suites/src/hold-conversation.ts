/** Holds one conversation of a suite, in text or as a call, and compares it with what is expected. */
import type { Conversation } from './conversation.ts';
import { holdCall } from './hold-call.ts';
import { holdTextConversation } from './hold-text-conversation.ts';
import { playedCaller, scriptedCaller, type SimulatedCaller } from './simulated-callers.ts';
import type { SuiteContext } from './suite-context.ts';
import { SuiteError } from './suite-error.ts';
import { callersOf, type SuiteCaller, type SuiteFields } from './suite-fields.ts';

/** One conversation and what is wrong with it. */
export interface HeldConversation {
  /** Null if it could not be held to its end. */
  conversation: Conversation | null;
  /** Expectations that are not met, or why there is no conversation; empty for one that passed. */
  failures: readonly string[];
  durationMs: number;
}

/** Which conversation of which suite. */
export interface ConversationToHold {
  suite: Pick<SuiteFields, 'player' | 'run_tools'>;
  caller: SuiteCaller;
  /** The ids of all assistants that the suite names. */
  ids: ReadonlyMap<string | number, number>;
  /** The index among the concurrent calls, from 0. */
  slot: number;
  /** Why no conversation came about, for errors that are none of ours; null to throw them. */
  faultOf: (error: unknown) => string | null;
}

/** How many runs must pass. Whole runs are compared: a product such as 0.07 * 100 is slightly more than 7. */
export function requiredRuns({ runs, passRate }: Pick<SuiteCaller, 'runs' | 'passRate'>): number {
  return Math.ceil(runs * passRate - 1e-9);
}

/** Names or ids of all assistants that a suite needs. */
export function assistantsOf(suite: SuiteFields): Set<string | number> {
  const names = new Set(callersOf(suite).map(({ assistant }) => assistant));
  if (suite.player && 'assistant' in suite.player) names.add(suite.player.assistant);
  return names;
}

/** @throws the reason of the signal when the suite is stopped; an error that `faultOf` does not take */
export async function holdConversation(
  context: SuiteContext,
  { faultOf, ...held }: ConversationToHold,
): Promise<HeldConversation> {
  const startedMs = context.clock.monotonic();
  const result = (conversation: Conversation | null, failures: readonly string[]): HeldConversation => ({
    conversation,
    failures,
    durationMs: context.clock.monotonic() - startedMs,
  });
  try {
    const conversation = await hold(context, held);
    return result(conversation, await context.judge.failuresOf(held.caller.expect, conversation));
  } catch (error) {
    context.signal.throwIfAborted();
    const fault = error instanceof SuiteError ? error.message : (faultOf(error) ?? playerFault(error));
    if (fault === null) throw error;
    return result(null, [fault]);
  }
}

type Held = Omit<ConversationToHold, 'faultOf'>;

function hold(context: SuiteContext, held: Held): Promise<Conversation> {
  const { suite, ids, caller, slot } = held;
  const { variables, phone, maxTurns } = caller;
  const assistantId = ids.get(caller.assistant) ?? 0;
  if (phone !== undefined) return holdCall(context, { assistantId, phone, variables, slot });
  return holdTextConversation(context, {
    assistantId,
    caller: simulate(context, held),
    variables,
    runTools: suite.run_tools,
    maxTurns,
  });
}

function simulate(context: SuiteContext, { suite: { player }, ids, caller }: Held): SimulatedCaller {
  const { persona, variables } = caller;
  if (persona === undefined || player === undefined) return scriptedCaller(context.judge, caller);
  const assistantId = 'assistant' in player ? (ids.get(player.assistant) ?? 0) : 0;
  return playedCaller(context, player, { persona, variables, assistantId });
}

/** The player's server: `fetch` and its time limit. */
function playerFault(error: unknown): string | null {
  const isOfServer = error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
  return isOfServer ? error.message : null;
}
