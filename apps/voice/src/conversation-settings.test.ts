import type { AssistantForVoice, CallForVoice } from '@parley/core';
import { describe, expect, it, test } from 'vitest';
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
    knowledgeText: '',
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

type FirstMessage = Partial<
  Pick<
    AssistantForVoice['assistant'],
    'initialMessageDelaySeconds' | 'isInitialMessageInterruptible' | 'disclosureMessage'
  >
>;

function settingsOf(type: CallForVoice['type'], assistant: FirstMessage, isHandedOver = false) {
  const speaker = {
    assistant,
    voice: { wireName: 'hum' },
    model: { kind: 'built-in' },
    language: { iso2: 'en' },
    tools: [],
    variables: {},
  } as unknown as AssistantForVoice;
  const call = { ...speaker, type } as CallForVoice;
  return conversationSettings(call, { speaker, reachable: [], isHandedOver, serverTools: [] });
}

describe('the first message', () => {
  it('waits for the callee in an outbound call, for as long as the assistant says', () => {
    const settings = { initialMessageDelaySeconds: 0.5, isInitialMessageInterruptible: false };
    expect(settingsOf('outbound', settings)).toMatchObject({
      greetingDelaySeconds: 0.5,
      isGreetingInterruptible: false,
    });
  });

  it('waits for 1 s in a call whose configuration was stored by an earlier version', () => {
    expect(settingsOf('outbound', {})).toMatchObject({
      greetingDelaySeconds: 1,
      isGreetingInterruptible: true,
    });
  });

  it('begins at once in an inbound call and after a hand-over', () => {
    const settings = { initialMessageDelaySeconds: 0.5 };
    expect(settingsOf('inbound', settings).greetingDelaySeconds).toBeNull();
    expect(settingsOf('outbound', settings, true).greetingDelaySeconds).toBeNull();
  });
});

describe('the disclosure message', () => {
  it('is spoken once in a call, also after a hand-over', () => {
    const assistant = { disclosureMessage: 'This call is recorded.' };
    expect(settingsOf('inbound', assistant).disclosureMessage).toBe('This call is recorded.');
    expect(settingsOf('inbound', assistant, true).disclosureMessage).toBe('');
  });

  it('is empty without one, and in calls of earlier versions', () => {
    expect(settingsOf('outbound', { disclosureMessage: null }).disclosureMessage).toBe('');
    expect(settingsOf('outbound', {}).disclosureMessage).toBe('');
  });
});
