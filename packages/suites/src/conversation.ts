/** A conversation that was held for a suite, in the same form for text and for calls. */
import type { CallDetail } from '@parley/contracts';

/** One turn. */
export interface SpokenTurn {
  speaker: 'caller' | 'assistant';
  text: string;
}

/** One use of a tool by the assistant. */
export interface UsedTool {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  isOk: boolean;
  result: string;
}

/** What was said and done. Times in milliseconds. */
export interface Conversation {
  turns: readonly SpokenTurn[];
  tools: readonly UsedTool[];
  /** How long the caller waited for each reply. */
  latencies: readonly number[];
  /** Text mode: until the first words of the model, of each reply in which it was asked. */
  firstWords: readonly number[];
  endedBy: 'assistant' | 'caller' | 'system' | null;
  variables: Readonly<Record<string, unknown>>;
  /** Null if a part of it is not known. */
  cost: number | null;
  /** Null in text mode. */
  call: CallFacts | null;
}

/** What only a call has. */
export interface CallFacts {
  id: number;
  status: CallDetail['status'];
  outcome: CallDetail['outcome'];
  endedReason: string | null;
  /** Seconds. */
  duration: number;
  /** Null if no conversation took place. */
  longestSilence: number | null;
  evaluation: Readonly<Record<string, unknown>>;
}
