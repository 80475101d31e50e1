/**
 * Turn-taking in a live conversation between an assistant and a caller. Contains nothing about sockets or calls: the audio
 * line, the speech providers and the clock are passed in.
 */
export { MachineDetector, type MachineDetectorOptions } from './answering/machine-detector.ts';
export type { AudioLine, AudioTick } from './audio-line.ts';
export type { ConversationSettings, FillerTexts } from './conversation-settings.ts';
export { createConversation } from './conversation.ts';
export type {
  AnsweredBy,
  Continuation,
  Conversation,
  ConversationEnd,
  ConversationEvent,
  ConversationOptions,
  Fallbacks,
} from './conversation-port.ts';
export { joinQuality, type CallQuality } from './record/call-quality.ts';
export type { Turn, TurnLatency } from './record/call-record.ts';
export { KEYS_TOOL, type AssistantTool } from './tools/assistant-tool.ts';
export type { KeyCollection } from './tools/key-collection.rules.ts';
export type { ToolUse } from './tools/tool-executor.ts';
export type { ToolAnswer, ToolRequest, ToolRunner } from './tools/tool-runner.ts';
export { replyInText, type TextReply, type TextReplyOptions, type WrittenMessage } from './text-reply.ts';
export type { HangUp, PhaseName, Stage } from './turn/turn-state.ts';
export type { PhraseRecordings } from './speaking/recorded-phrases.ts';
