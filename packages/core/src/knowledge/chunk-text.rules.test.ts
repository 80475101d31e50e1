import { expect, test } from 'vitest';
import { chunkText } from './chunk-text.rules.ts';

test('short paragraphs share a passage, and a heading begins another one', () => {
  const text = '# Hours\n\nMonday.\n\nTuesday.\n## Prices\r\n\r\nFree.';
  expect(chunkText(text)).toEqual(['# Hours\n\nMonday.\n\nTuesday.', '## Prices\n\nFree.']);
});

test('a long paragraph is cut after a sentence, and each passage has the heading', () => {
  const sentence = `${'word '.repeat(40)}end. `;
  const passages = chunkText(`# Terms\n\n${sentence.repeat(12)}`);
  expect(passages.length).toBeGreaterThan(2);
  for (const passage of passages) {
    expect(passage).toMatch(/^# Terms\n\nword .*end\.$/s);
    expect(passage.length).toBeLessThanOrEqual(1020);
  }
});

test('text without any boundary is cut, but never within a character', () => {
  const passages = chunkText('😀'.repeat(1501));
  expect(passages.join('')).toBe('😀'.repeat(1501));
  for (const passage of passages) expect(passage.isWellFormed()).toBe(true);
});

test.each(['', ' \n\n \r\n', '# Only a heading'])('%j has no passages', (text) => {
  expect(chunkText(text)).toEqual([]);
});
