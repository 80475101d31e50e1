/** What the conversations of a suite share: the product that they test, and the machine that holds them. */
import type { CallDetail, TextReplyRecord } from '@parley/contracts';
import type { Clock } from '@parley/runtime';
import type { Conversation } from './conversation.ts';
import type { Phrase } from './phrase.ts';
import { SuiteError } from './suite-error.ts';
import type { Expectation } from './suite-fields.ts';
import { texts } from './suite-texts.ts';

/** What is asked of an assistant in writing. */
interface ReplyQuestion {
  assistantId: number;
  /** Oldest first; the last one is to be answered. */
  messages: { role: 'user' | 'assistant'; content: string }[];
  variables: Record<string, unknown>;
  /** HTTP tools of the assistant really run. */
  runTools: boolean;
}

/** A call to a test phone. */
interface CallToPlace {
  assistantId: number;
  /** Numbers of phones that behave alike, the preferred one first: a number can be in one call only. */
  phoneNumbers: readonly string[];
  variables: Record<string, unknown>;
}

/** The installation whose assistants are tested: over the REST API, or from within. */
export interface SuiteServer {
  /** Waits while the server is busy. @throws SuiteError, or an error of the connection */
  reply(question: ReplyQuestion, signal: AbortSignal): Promise<TextReplyRecord>;
  /** @returns the id of the call */
  placeCall(call: CallToPlace): Promise<number>;
  findCall(callId: number): Promise<CallDetail>;
  /** A call that is over stays as it is. */
  hangUp(callId: number): Promise<void>;
}

/** Compares texts with the expressions of a suite, which may need much time. */
export interface Judge {
  /** One sentence for each expectation that is not met. */
  failuresOf(expected: Expectation, conversation: Conversation): Promise<string[]>;
  /** The index of the first phrase that is found; -1: none. */
  firstFound(phrases: readonly Phrase[], text: string): Promise<number>;
}

/** The surroundings of a conversation. */
export interface SuiteContext {
  server: SuiteServer;
  judge: Judge;
  clock: Clock;
  /** Has the key of a player with a server of its own. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Aborted when the suite is stopped. */
  signal: AbortSignal;
}

/**
 * The ids of assistants that a suite names by id or name.
 *
 * @throws SuiteError that makes the suite unusable, for one that does not exist
 */
export function idsOfAssistants(
  assistants: readonly { id: number; name: string }[],
  names: ReadonlySet<string | number>,
): Map<string | number, number> {
  return new Map(
    [...names].map((name) => {
      const found = assistants.filter((one) => (typeof name === 'number' ? one.id : one.name) === name);
      const [first, second] = found;
      if (!first) throw new SuiteError(texts.set.noAssistant(name), { isUnusable: true });
      if (second) throw new SuiteError(texts.set.twoAssistants(String(name)), { isUnusable: true });
      return [name, first.id];
    }),
  );
}
