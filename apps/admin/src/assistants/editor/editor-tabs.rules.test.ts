import { describe, expect, it } from 'vitest';
import { readEditorSearch } from './editor-search.rules.ts';
import { faultsOfFields, shownNames, tabsWithFaults } from './editor-tabs.rules.ts';

describe('the tabs of the editor', () => {
  it('are in the URL, except for the first one', () => {
    expect(readEditorSearch({ tab: 'voice' })).toEqual({ tab: 'voice' });
    expect(readEditorSearch({ tab: 'conversation' })).toEqual({});
    expect(readEditorSearch({ tab: 'other' })).toEqual({});
  });

  it('are marked when one of their fields, or a part of it, has a message', () => {
    expect(tabsWithFaults({ 'post_call_schema.0.name': 'x', name: 'y', unknown: 'z' })).toEqual([
      'conversation',
      'after',
    ]);
  });

  it('show messages of the server at the field that can correct them', () => {
    const faults = {
      assistant_name: 'a',
      'fallback_llm_models.1': 'b',
      'filler_config.neutral.3': 'c',
      'post_call_schema.0.name': 'd',
      'tools.0.name': 'e',
    };
    expect(faultsOfFields(faults)).toEqual({
      name: 'a',
      fallback_llm_models: 'b',
      'filler_config.neutral': 'c',
      'post_call_schema.0.name': 'd',
      'tools.0.name': 'e',
    });
    expect(shownNames(faults)).toEqual(['assistant_name', 'fallback_llm_models.1']);
  });
});
