import { expect, it } from 'vitest';
import { TurnWords } from './turn-words.ts';

it('gives each word of a growing turn once', () => {
  const words = new TurnWords();
  words.hear('I need');
  expect(words.take()).toBe('I need');
  words.hear('I need a table');
  expect(words.rest).toBe('a table');
  expect([words.take(), words.take()]).toEqual(['a table', '']);
});

it('begins anew with the next turn', () => {
  const words = new TurnWords();
  words.hear('yes please');
  words.take();
  words.end();
  expect(words.rest).toBe('');
  words.hear('for two');
  expect(words.rest).toBe('for two');
});

it('repeats nothing when the provider takes words back', () => {
  const words = new TurnWords();
  words.hear('I need a');
  words.take();
  words.hear('I need');
  expect(words.rest).toBe('');
  words.hear('I need the table');
  expect(words.rest).toBe('table');
});
