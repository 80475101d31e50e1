import { describe, expect, it } from 'vitest';
import { phraseGrammar } from './phrase-grammar.rules.ts';

const SOUNDS: Record<string, string[]> = {
  in: ['IH N'],
  the: ['DH AH', 'DH IY'],
  morning: ['M AO R N IH NG'],
  "o'clock": ['AH K L AA K'],
  um: ['AH M'],
  uh: ['AH'],
  please: ['P L IY Z'],
  hello: ['HH AH L OW'],
};
const grammarOf = (...phrases: string[]) => phraseGrammar(phrases, (word) => SOUNDS[word] ?? []);

describe('a grammar of phrases', () => {
  it('contains each phrase as one word, in every pronunciation', () => {
    const grammar = grammarOf('In the morning', 'morning');
    expect(grammar?.phrases).toContain('[um | uh] (phrase0 | phrase1 | other0) [please]');
    expect(grammar?.dictionary.split('\n')).toEqual(
      expect.arrayContaining([
        'phrase0 IH N DH AH M AO R N IH NG',
        'phrase0(2) IH N DH IY M AO R N IH NG',
        'phrase1 M AO R N IH NG',
        'soundzh ZH',
      ]),
    );
    expect(grammar?.phraseOf('phrase0(2)')).toBe('In the morning');
    expect(grammar?.phraseOf('please')).toBeNull();
  });

  it('recognises common words that are not an answer, unless they are a phrase', () => {
    const grammar = grammarOf('morning');
    expect(grammar?.dictionary).toContain('other0 HH AH L OW');
    expect(grammar?.phrases).toContain('(phrase0 | other0)');
    expect(grammar?.phraseOf('other0')).toBeNull();
    expect(grammarOf('Hello')?.dictionary).not.toContain('other');
  });

  it('omits and logs words without a pronunciation', () => {
    const grammar = grammarOf('morning', 'in Zürich', '10 o’clock', "o'clock");
    expect(grammar?.unpronounceable).toEqual(['in Zürich', '10 o’clock']);
    expect(grammar?.phraseOf('phrase1')).toBe("o'clock");
    expect(grammarOf('Zürich')).toBeNull();
    expect(grammarOf()).toBeNull();
  });

  it('does not let a phrase write into the grammar', () => {
    expect(grammarOf('morning) | (sound')?.phrases ?? '').not.toContain('sound');
  });
});
