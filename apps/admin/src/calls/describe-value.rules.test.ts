import { describe, expect, it } from 'vitest';
import { describeDetail, describeEntry, describeValue, filledEntries } from './describe-value.rules.ts';

describe('free-form values on screen', () => {
  it.each([
    ['texts stay as they are', 'a_b', 'a_b'],
    ['booleans are yes and no', false, 'No'],
    ['zero is a number, not nothing', 0, '0'],
    ['long fractions are rounded', 6.91499, '6.91'],
    ['nothing is a dash', null, '–'],
    ['lists are their parts', ['a', 2, true], 'a, 2, Yes'],
    ['objects are their parts by name', { packetsLost: 0, jitter_ms: 1.5 }, 'Packets lost 0, Jitter 1.5 ms'],
  ])('%s', (_sentence, value, words) => {
    expect(describeValue(value)).toBe(words);
  });

  it.each([
    ['longest_silence_ms', 1200, ['Longest silence', '1.2 s']],
    ['ringSeconds', 3, ['Ring', '3 s']],
    ['jitter_ms', 'unknown', ['Jitter ms', 'unknown']],
    ['is_complete', true, ['Complete', 'Yes']],
  ])('gives %s its name and unit', (name, value, entry) => {
    expect(describeEntry(name, value)).toEqual(entry);
  });

  it.each([
    ['verdict', 'unknown', 'Result: Not certain'],
    ['reason', 'line_lost', 'The connection to the phone was lost'],
    ['source', 'inbound_route', 'Source: Inbound route'],
    ['at_ms', 20, 'At: 20 ms'],
  ])('has the detail %s of an event as a line', (name, value, line) => {
    expect(describeDetail([name, value])).toBe(line);
  });

  it('omits empty values, and keeps zero and false', () => {
    expect(filledEntries({ a: null, b: '', c: 0, d: false, e: undefined })).toEqual([
      ['c', 0],
      ['d', false],
    ]);
  });

  it('has what was said first, and its start before its end', () => {
    const names = filledEntries({ at: 1, end_ms: 2, start_ms: 1, text: 'a' }).map(([name]) => name);
    expect(names).toEqual(['text', 'start_ms', 'end_ms', 'at']);
  });
});
