/** From the assistant frozen into a call to what a conversation is told. Nothing is decided here. */
import type { ConversationSettings } from '@parley/conversation';
import type { CallForVoice } from '@parley/core';

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
    reEngagementIntervalSeconds: assistant.reengagementSeconds,
    maxSilenceSeconds: assistant.maxSilenceSeconds,
    maxCallSeconds: assistant.maxDurationSeconds,
    temperature: assistant.llmTemperature,
    voice: call.voice.wireName,
    speed: assistant.speechSpeed,
    stability: assistant.voiceStability,
    similarity: assistant.voiceSimilarity,
    language: call.language.iso2,
    tools: [{ type: 'end_call', description: endCallDescription(assistant.tools) }],
    variables: call.variables,
  };
}

/** Every assistant may end its call; the owner's words on when to do so are optional. */
function endCallDescription(tools: CallForVoice['assistant']['tools']): string | null {
  const description = tools.find((tool) => tool.type === 'end_call')?.data['description'];
  return typeof description === 'string' ? description : null;
}
