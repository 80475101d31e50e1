/**
 * Who speaks when, and what becomes of it: one live conversation between an assistant and a caller. Knows neither
 * sockets nor calls; the line, the speech providers and the clock are handed in.
 */
export type { AudioLine, AudioTick } from './audio-line.ts';
export type { AssistantTool, ConversationSettings } from './conversation-settings.ts';
export {
  createConversation,
  type Conversation,
  type ConversationEnd,
  type ConversationEvent,
  type ConversationOptions,
} from './conversation.ts';
export type { Turn, TurnLatency } from './call-record.ts';
export type { HangUp, PhaseName, Stage } from './turn-state.ts';
