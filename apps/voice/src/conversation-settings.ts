/** From the assistant frozen into a call to what a conversation is told. Nothing is decided here. */
import type { ConversationSettings } from '@parley/conversation';
import type { CallForVoice } from '@parley/core';

/** The settings of one call's conversation. */
export function conversationSettings(call: CallForVoice): ConversationSettings {
  const { assistant } = call;
  return {
    initialMessage: assistant.initialMessage,
    systemPrompt: assistant.systemPrompt,
    whoSpeaksFirst: assistant.waitForCustomer ? 'customer' : 'assistant',
    allowInterruptions: assistant.allowInterruptions,
    interruptSensitivitySeconds: assistant.interruptSensitivity,
    minInterruptWords: assistant.minInterruptWords,
    endpointSensitivitySeconds: assistant.endpointSensitivity,
    reEngagementIntervalSeconds: assistant.reengagementInterval,
    maxSilenceSeconds: assistant.maxSilenceDuration,
    maxCallSeconds: assistant.maxDuration,
    temperature: assistant.llmTemperature,
    voice: call.voice.wireName,
    speed: assistant.speechSpeed,
    stability: assistant.voiceStability,
    similarity: assistant.voiceSimilarity,
    language: call.language.iso2,
    tools: [],
    variables: call.variables,
  };
}
