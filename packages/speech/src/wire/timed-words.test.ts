import { expect, it } from 'vitest';
import type { TimedWord } from '../ports.ts';
import { TimedWords } from './timed-words.ts';

const part = (text: string, startMs: number): TimedWord => ({ text, startMs, endMs: startMs + 10 });

it('joins characters to words across messages, and adds the time of each message', () => {
  const words: TimedWord[] = [];
  const joined = new TimedWords((word) => words.push(word));
  joined.add([part(' ', 0), part('G', 10), part('o', 20)], 0);
  joined.add([part('o', 0), part('d', 10), part(' ', 20), part(' ', 30), part('d', 40)], 100);
  expect(words).toEqual([{ text: 'Good', startMs: 10, endMs: 120 }]);
  joined.add([part('ay', 0)], 200);
  joined.end();
  joined.end();
  expect(words.slice(1)).toEqual([{ text: 'day', startMs: 140, endMs: 210 }]);
});
