/** From the assistant frozen into a call to what a conversation is told. Nothing is decided here. */
import type { ConversationSettings } from '@parley/conversation';
import type { CallForVoice } from '@parley/core';
import { toolsForConversation } from './tools/call-tools.ts';

/** The settings of one call's conversation. */
export function conversationSettings(call: CallForVoice): ConversationSettings {
  const { assistant } = call;
  return {
    initialMessage: assistant.initialMessage,
    systemPrompt: assistant.systemPrompt,
    whoSpeaksFirst: assistant.isCustomerFirst ? 'customer' : 'assistant',
    allowInterruptions: assistant.isInterruptible,
    interruptSensitivitySeconds: assistant.interruptSensitivity,
    minInterruptWords: assistant.minInterruptWords,
    endpointSensitivitySeconds: assistant.endpointSensitivity,
    endpointType: assistant.endpointType,
    fillers: assistant.areFillersOn ? assistant.fillerConfig : null,
    reEngagementIntervalSeconds: assistant.reengagementSeconds,
    maxSilenceSeconds: assistant.maxSilenceSeconds,
    maxCallSeconds: assistant.maxDurationSeconds,
    temperature: assistant.llmTemperature,
    voice: call.voice.wireName,
    speed: assistant.speechSpeed,
    stability: assistant.voiceStability,
    similarity: assistant.voiceSimilarity,
    language: call.language.iso2,
    keepsNoiseOut: assistant.isNoiseCancelled,
    onMachine: whatOnMachine(call),
    tools: toolsForConversation(call.tools),
    variables: call.variables,
  };
}

/** A machine can only answer where we have called. */
function whatOnMachine({ type, assistant }: CallForVoice): ConversationSettings['onMachine'] {
  if (type !== 'outbound') return 'ignore';
  return assistant.isEndedOnVoicemail ? 'hang-up' : 'leave-message';
}
