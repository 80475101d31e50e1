import type { AssistantForVoice, CallForVoice } from '@parley/core';
import { expect, test } from 'vitest';
import { conversationSettings } from './conversation-settings.ts';

/** The system prompt of an assistant whose model is of this kind. */
function promptWithModel(kind: string): string {
  const speaker = {
    assistant: { systemPrompt: 'Be brief.' },
    voice: {},
    model: { kind },
    language: { iso2: 'en' },
    variables: {},
    callNote: 'About this call: …',
    tools: [],
  } as unknown as AssistantForVoice;
  const call = { ...speaker, type: 'inbound', others: [] } as unknown as CallForVoice;
  const stage = { speaker, reachable: [], isHandedOver: false, serverTools: [] };
  return conversationSettings(call, stage).systemPrompt;
}

test('a language model reads the note about the call after the prompt of the owner', () => {
  expect(promptWithModel('openai-compatible')).toBe('Be brief.\n\nAbout this call: …');
});

test('the script of the built-in model is left unchanged', () => {
  expect(promptWithModel('built-in')).toBe('Be brief.');
});
