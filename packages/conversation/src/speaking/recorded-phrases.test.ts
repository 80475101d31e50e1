import { describe, expect, it } from 'vitest';
import { RecordedPhrases } from './recorded-phrases.ts';

function setup(...texts: string[]) {
  return new RecordedPhrases({ texts, soundOf: async () => Int16Array.of(1) });
}

async function* arriving(chunks: readonly string[], seen: string[] = []): AsyncGenerator<string> {
  for (const chunk of chunks) {
    seen.push(chunk);
    yield chunk;
  }
}

describe('chunks', () => {
  it.each([
    ['without recordings stay as they are', [], ['A b.', 'C.'], ['A b.', 'C.']],
    [
      'that are recorded together are joined',
      ['Hello. I am Anna.'],
      ['Hello.', 'I am Anna.', 'And you?'],
      ['Hello. I am Anna.', 'And you?'],
    ],
    ['the longest recording wins', ['A.', 'A. B.', 'A. B. C.'], ['A.', 'B.', 'D.'], ['A. B.', 'D.']],
    [
      'a recording in the middle',
      ['Two. Three.'],
      ['One.', 'Two.', 'Three.', 'Four.'],
      ['One.', 'Two. Three.', 'Four.'],
    ],
    ['a beginning that ends otherwise', ['A. B. C.'], ['A.', 'B.', 'X.'], ['A.', 'B.', 'X.']],
    ['a beginning at the end', ['A. B.'], ['A.'], ['A.']],
  ])('%s', async (_sentence, texts, chunks, expected) => {
    const phrases = setup(...texts);
    expect(phrases.joined(chunks)).toEqual(expected);
    const joined: string[] = [];
    for await (const chunk of phrases.join(arriving(chunks))) joined.push(chunk);
    expect(joined).toEqual(expected);
  });

  it('wait for the next one only where a recording begins with them', async () => {
    const seen: string[] = [];
    const joined = setup('B. C.').join(arriving(['A.', 'B.', 'C.'], seen));
    expect((await joined.next()).value).toBe('A.');
    expect(seen).toEqual(['A.']);
    expect((await joined.next()).value).toBe('B. C.');
  });
});

it('a text has its recording whatever its punctuation and case', async () => {
  const phrases = setup('Hello, Anna!');
  expect(phrases.has('hello anna')).toBe(true);
  expect(await phrases.soundOf('HELLO ANNA.', 8000)).toEqual(Int16Array.of(1));
  expect(await phrases.soundOf('Hello', 8000)).toBeNull();
});
