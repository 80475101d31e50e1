import { describe, expect, it } from 'vitest';
import { standardPhrase } from './standard-phrases.rules.ts';

describe('a standard phrase', () => {
  it.each([
    ['German by its code', 'de', 'Auf Wiederhören'],
    ['a region does not matter', 'pt-BR', 'Até logo'],
    ['nor does the case', 'FR_fr', 'Au revoir'],
    ['an unknown language gets English', 'xx', 'Goodbye'],
    ['an inherited name is an unknown language', 'constructor', 'Goodbye'],
    ['no language gets English', '', 'Goodbye'],
  ])('%s', (_sentence, language, ending) => {
    expect(standardPhrase('goodbye', language)).toContain(ending);
    expect(standardPhrase('apology', language)).toContain(ending);
  });
});
