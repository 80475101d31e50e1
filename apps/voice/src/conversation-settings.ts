/** From the assistant frozen into a call to what a conversation is told. Nothing is decided here. */
import type { AssistantTool, ConversationSettings } from '@parley/conversation';
import type { AssistantForVoice, CallForVoice } from '@parley/core';
import { toolsForConversation } from './tools/call-tools.ts';

/** Whose turn it is, and to whom that assistant may hand over. */
export interface ConversationStage {
  party: AssistantForVoice;
  reachable: readonly AssistantForVoice[];
  /** Others have spoken before in this call. */
  isHandedOver: boolean;
  /** Of the MCP servers of that assistant. */
  serverTools: readonly AssistantTool[];
}

/** The settings of one conversation of a call. The limit of the call is that of the assistant it began with. */
export function conversationSettings(
  call: CallForVoice,
  { party, reachable, isHandedOver, serverTools }: ConversationStage,
): ConversationSettings {
  const { assistant } = party;
  return {
    initialMessage: assistant.initialMessage,
    systemPrompt: assistant.systemPrompt,
    // Whoever was handed over waits for somebody to take the word.
    whoSpeaksFirst: !isHandedOver && assistant.isCustomerFirst ? 'customer' : 'assistant',
    allowInterruptions: assistant.isInterruptible,
    interruptSensitivitySeconds: assistant.interruptSensitivity,
    minInterruptWords: assistant.minInterruptWords,
    endpointSensitivitySeconds: assistant.endpointSensitivity,
    endpointType: assistant.endpointType,
    fillers: assistant.areFillersOn ? assistant.fillerConfig : null,
    reEngagementIntervalSeconds: assistant.reengagementSeconds,
    maxSilenceSeconds: assistant.maxSilenceSeconds,
    maxCallSeconds: call.assistant.maxDurationSeconds,
    temperature: assistant.llmTemperature,
    voice: party.voice.wireName,
    speed: assistant.speechSpeed,
    stability: assistant.voiceStability,
    similarity: assistant.voiceSimilarity,
    language: party.language.iso2,
    keepsNoiseOut: assistant.isNoiseCancelled,
    onMachine: isHandedOver ? 'ignore' : whatOnMachine(call),
    tools: [
      ...toolsForConversation(
        party.tools,
        reachable.map((other) => other.assistant.id),
      ),
      ...serverTools,
    ],
    variables: party.variables,
  };
}

/** A machine can only answer where we have called. */
function whatOnMachine({ type, assistant }: CallForVoice): ConversationSettings['onMachine'] {
  if (type !== 'outbound') return 'ignore';
  return assistant.isEndedOnVoicemail ? 'hang-up' : 'leave-message';
}
