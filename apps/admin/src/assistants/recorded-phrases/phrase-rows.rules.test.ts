import type { RecordedPhraseRecord } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { firstRows, phraseRows, type PhraseLists } from './phrase-rows.rules.ts';

const at = '2026-01-31T10:00:00.000000Z';
const recordingOf = (id: number, text: string): RecordedPhraseRecord => ({
  id,
  text,
  status: 'active',
  error: null,
  duration_ms: 900,
  created_at: at,
  updated_at: at,
});
const sentenceOf = (text: string, ...recorded_phrase_ids: number[]): PhraseLists['sentences'][number] => ({
  text,
  used_for: 'standard',
  is_recorded: false,
  recorded_phrase_ids,
});
const shownOf = (lists: PhraseLists) =>
  phraseRows(lists).map(({ text, usedFor, recording }) => [text, usedFor, recording?.id ?? null]);

describe('the rows of recorded sentences', () => {
  it('are every recording under the text of its sentence, then sentences without one', () => {
    const lists = {
      data: [recordingOf(3, 'hello'), recordingOf(2, 'A reply.'), recordingOf(1, 'Hello.')],
      sentences: [sentenceOf('One moment.'), sentenceOf('Hello.', 3, 1)],
    };
    expect(shownOf(lists)).toEqual([
      ['Hello.', 'standard', 3],
      ['Hello.', 'standard', 1],
      ['A reply.', null, 2],
      ['One moment.', 'standard', null],
    ]);
  });

  it('show a sentence whose recording is gone as one without', () => {
    expect(shownOf({ data: [], sentences: [sentenceOf('Hello.', 7)] })).toEqual([
      ['Hello.', 'standard', null],
    ]);
  });

  it('are shortened, but never by a recording', () => {
    const sentences = Array.from({ length: 20 }, (_, place) => sentenceOf(`Sentence ${place}.`));
    expect(firstRows(phraseRows({ data: [], sentences }))).toHaveLength(6);
    const data = Array.from({ length: 9 }, (_, place) => recordingOf(place, `Reply ${place}.`));
    const rows = firstRows(phraseRows({ data, sentences }));
    expect(rows.map(({ recording }) => recording?.id)).toEqual(data.map(({ id }) => id));
    expect(phraseRows({ data, sentences })).toHaveLength(29);
  });
});
