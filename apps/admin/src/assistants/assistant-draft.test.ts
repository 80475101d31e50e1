import { createAssistantBody } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { type AssistantLookups, emptyDraft, toAssistantBody, voicesFor } from './assistant-draft.ts';

const lookups: AssistantLookups = {
  voices: [
    { id: 4, name: 'Flow', mode: 'multimodal' },
    { id: 5, name: 'Slt', mode: 'pipeline' },
  ],
  models: [{ id: 1, name: 'Scripted' }],
  languages: [
    { id: 1, name: 'German', iso_2: 'de' },
    { id: 2, name: 'English', iso_2: 'en' },
  ],
  phone_numbers: [],
};

function filledDraft() {
  const words = { assistant_name: 'Ada', initial_message: 'Hello.', system_prompt: 'Be kind.' };
  return { ...emptyDraft(lookups, 'Europe/Berlin'), ...words };
}

describe('the form for a new assistant', () => {
  it('begins with English and with an engine that has a voice', () => {
    expect(emptyDraft(lookups, 'UTC')).toMatchObject({
      language: 'English',
      engine_type: 'multimodal',
      voice_id: '4',
    });
  });

  it('can be rendered with empty lists', () => {
    const empty = { voices: [], models: [], languages: [], phone_numbers: [] };
    expect(emptyDraft(empty, 'UTC')).toMatchObject({ language: '', voice_id: '', llm_model: '' });
  });

  it('offers the voices of one engine', () => {
    expect(voicesFor(lookups, 'pipeline').map(({ id }) => id)).toEqual([5]);
  });

  it('creates a body that the contract accepts', () => {
    const body = createAssistantBody.parse(toAssistantBody(filledDraft()));
    expect(body).toMatchObject({
      name: 'Ada',
      voice_id: 4,
      type: 'outbound',
      timezone: 'Europe/Berlin',
      max_duration: 600,
    });
  });

  it('sends the second model as the list of replacements', () => {
    const body = (second_model: string) => toAssistantBody({ ...filledDraft(), second_model });
    expect(body('Small').fallback_llm_models).toEqual(['Small']);
    expect(body('').fallback_llm_models).toEqual([]);
    expect(body('')).not.toHaveProperty('second_model');
  });

  it('omits fields that were not chosen, so that the server reports them as missing', () => {
    const body = toAssistantBody({ ...filledDraft(), voice_id: '', webhook_url: ' ' });
    expect(body).not.toHaveProperty('voice_id');
    expect(body).toMatchObject({ webhook_url: null, phone_number_id: null });
  });
});
