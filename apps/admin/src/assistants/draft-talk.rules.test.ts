import { describe, expect, it } from 'vitest';
import { draftNotes, enteredVariables, offeredVariables } from './draft-talk.rules.ts';
import { draftOf } from './editor/assistant-draft.ts';

const draft = draftOf({
  disclosure_message: 'A call of {{company|Acme}}.',
  initial_message: 'Hello {{ name }}, it is {{weekday}}.',
  system_prompt: 'Greet {{name}} of {{customer.city}} on {{weekday}}. Code: {{code}}. Plan: {{plan|basic}}.',
  variables: { plan: 'gold', unused: 'x' },
});

describe('the variables that are offered before a call with a draft', () => {
  const offered = offeredVariables(draft, new Set(['weekday', 'code']));

  it('are those of its texts whose value does not come from the call', () => {
    expect(offered).toEqual([
      { name: 'company', preset: 'Acme' },
      { name: 'name', preset: '' },
      { name: 'customer.city', preset: '' },
      { name: 'plan', preset: 'gold' },
    ]);
  });

  it('are sent when they have a value, and only while a text uses them', () => {
    const entered = { name: 'Ada', company: ' ', gone: 'x' };
    expect(enteredVariables(offered, entered)).toEqual({ name: 'Ada' });
  });
});

describe('the notes about the draft', () => {
  const edited = { ...draft, initial_message: 'Hi' };

  it.each([
    ['without changes there is none', { values: draft, hasChanges: false }, []],
    ['with changes the next call has the draft', { values: edited, hasChanges: true }, ['draft']],
  ])('before a call: %s', (_what, now, notes) => {
    expect(draftNotes(null, now)).toEqual(notes);
  });

  it.each([
    ['nothing was edited', { values: draft, hasChanges: false }, { values: draft, hasChanges: false }, []],
    [
      'the form was edited',
      { values: draft, hasChanges: false },
      { values: edited, hasChanges: true },
      ['changed'],
    ],
    [
      'it has the draft',
      { values: edited, hasChanges: true },
      { values: edited, hasChanges: true },
      ['draft'],
    ],
    [
      'it has the draft, which was saved since',
      { values: edited, hasChanges: true },
      { values: edited, hasChanges: false },
      ['draft'],
    ],
    [
      'it has the draft, which was discarded since',
      { values: edited, hasChanges: true },
      { values: draft, hasChanges: false },
      ['draft', 'changed'],
    ],
  ])('during a call: %s', (_what, begun, now, notes) => {
    expect(draftNotes(begun, now)).toEqual(notes);
  });
});
