/** Suites of simulated callers: their text form, how their conversations are held, and how they are judged. */
export { besideRecording, replayScript, type ReplayedTurn } from './exchanges.ts';
export type { CallFacts, Conversation, SpokenTurn } from './conversation.ts';
export { percentile95 } from './check-conversation.ts';
export { conversationOf, MAX_CALLS } from './hold-call.ts';
export { holdTextConversation } from './hold-text-conversation.ts';
export {
  assistantsOf,
  holdConversation,
  requiredRuns,
  type ConversationToHold,
  type HeldConversation,
} from './hold-conversation.ts';
export { localJudge } from './judge.ts';
export { MAX_SUITE_BYTES, readSuite, type ReadSuite } from './read-suite.ts';
export { readSuiteApart } from './read-suite-apart.ts';
export { scriptedCaller } from './simulated-callers.ts';
export { idsOfAssistants, type Judge, type SuiteContext, type SuiteServer } from './suite-context.ts';
export { SuiteError } from './suite-error.ts';
export { callersOf, MAX_TURNS, type SuiteCaller, type SuiteFields } from './suite-fields.ts';
