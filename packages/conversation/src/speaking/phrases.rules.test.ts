import { describe, expect, it } from 'vitest';
import { phrase } from './phrases.rules.ts';

describe('phrase', () => {
  it.each([
    ['German by its code', 'de', 'Auf Wiederhören'],
    ['a region does not matter', 'pt-BR', 'Até logo'],
    ['nor does the case', 'FR_fr', 'Au revoir'],
    ['an unknown language gets English', 'xx', 'Goodbye'],
    ['an inherited name is an unknown language', 'constructor', 'Goodbye'],
    ['no language gets English', '', 'Goodbye'],
  ])('%s', (_sentence, language, ending) => {
    expect(phrase('goodbye', language)).toContain(ending);
    expect(phrase('apology', language)).toContain(ending);
  });
});
