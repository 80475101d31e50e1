import type { PostCallField } from '@parley/db';
import { describe, expect, test } from 'vitest';
import {
  collectedEvaluation,
  isEvaluationWanted,
  readEvaluation,
  unevaluatedBecause,
} from './evaluation.rules.ts';

const SCHEMA: PostCallField[] = [
  { name: 'status', type: 'bool', description: 'Was the objective reached?' },
  { name: 'summary', type: 'string', description: 'What was said' },
  { name: 'guests', type: 'number', description: 'How many come' },
];
const GOOD = { status: true, summary: 'A table for two.', guests: 2 };

const EMPTY = { status: null, summary: null, guests: null };

describe('without a model, the evaluation', () => {
  test.each([
    ['has every name and no value if nothing was collected', {}, EMPTY],
    [
      'holds what was collected under the names of the schema',
      { status: 'Yes', summary: 'A table', guests: ' 2 ', day: 'Monday' },
      { status: true, summary: 'A table', guests: 2 },
    ],
    [
      'reads 0 and 1 as their type demands',
      { status: '0', guests: '0' },
      { ...EMPTY, status: false, guests: 0 },
    ],
    ['keeps values that have their type already', GOOD, GOOD],
    ['has null for a text that is not of the type', { status: 'perhaps', guests: 'two' }, EMPTY],
    ['has null for numbers that lose digits', { guests: '12345678901234567890' }, EMPTY],
  ])('%s', (_sentence, collected, expected) => {
    expect(collectedEvaluation(SCHEMA, collected)).toEqual(expected);
  });
});

describe('what a model has filled in', () => {
  test.each([
    ['is kept when it fits', GOOD, GOOD, []],
    ['may be null anywhere', { status: null, summary: null, guests: null }, EMPTY, []],
    ['drops fields that are not in the schema', { ...GOOD, secret: 'x' }, GOOD, []],
    [
      'loses a text where a number belongs',
      { ...GOOD, guests: '2' },
      { ...GOOD, guests: null },
      ['"guests" must be a number or null.'],
    ],
    [
      'loses a word where true or false belongs',
      { ...GOOD, status: 'yes' },
      { ...GOOD, status: null },
      ['"status" must be true or false or null.'],
    ],
    [
      'loses an object where a text belongs',
      { ...GOOD, summary: {} },
      { ...GOOD, summary: null },
      ['"summary" must be a text or null.'],
    ],
    [
      'loses a number that is none',
      { ...GOOD, guests: Number.NaN },
      { ...GOOD, guests: null },
      ['"guests" must be a number or null.'],
    ],
    [
      'misses nothing silently',
      { status: true },
      { status: true, summary: null, guests: null },
      ['"summary" must be a text or null.', '"guests" must be a number or null.'],
    ],
    ['is nothing when it is a list', [GOOD], EMPTY, ['The answer must be an object.']],
    ['is nothing when it is null', null, EMPTY, ['The answer must be an object.']],
    ['is nothing when it is a text', 'status: true', EMPTY, ['The answer must be an object.']],
  ])('%s', (_sentence, answer, values, faults) => {
    expect(readEvaluation(SCHEMA, answer)).toEqual({ values, disposition: null, faults });
  });

  test('loses characters that cannot be stored, and what is too long', () => {
    const { values } = readEvaluation(SCHEMA, { ...GOOD, summary: `a\0b\uD800${'x'.repeat(20_000)}` });
    expect(values['summary']).toMatch(/^ab\uFFFDx+$/);
    expect(String(values['summary'])).toHaveLength(9_999);
  });

  test('is read as plain data, whatever its names', () => {
    const schema: PostCallField[] = [{ name: '__proto__', type: 'string', description: '' }];
    const { values } = readEvaluation(schema, JSON.parse('{"__proto__": "x"}'));
    expect(Object.entries(values)).toEqual([['__proto__', 'x']]);
    expect(readEvaluation([{ name: 'toString', type: 'string', description: '' }], {}).faults).toHaveLength(
      1,
    );
  });
});

describe('an evaluation', () => {
  const WANTED = { isPostCallEvaluated: true, postCallSchema: SCHEMA };

  test.each([
    ['switched on, with fields', WANTED, [], true],
    ['switched off', { ...WANTED, isPostCallEvaluated: false }, [], false],
    ['without fields', { ...WANTED, postCallSchema: [] }, [], false],
    [
      'switched off, in a campaign with dispositions',
      { ...WANTED, isPostCallEvaluated: false },
      ['Won'],
      true,
    ],
  ])('is wanted when it is %s', (_what, assistant, dispositions, expected) => {
    expect(isEvaluationWanted({ assistant, dispositions })).toBe(expected);
  });

  test.each([
    ['one of the list', { disposition: 'Call back' }, 'Call back', 0],
    ['one of the list in other letters', { disposition: ' call BACK ' }, 'Call back', 0],
    ['none', { disposition: null }, null, 0],
    ['another one', { disposition: 'Refunded' }, null, 1],
    ['a list', { disposition: ['Call back'] }, null, 1],
    ['nothing', {}, null, 1],
  ])('chooses a disposition from an answer with %s', (_what, answer, expected, faults) => {
    const read = readEvaluation([], answer, ['Interested', 'Call back']);
    expect([read.disposition, read.faults.length]).toEqual([expected, faults]);
  });

  test('keeps the disposition apart from a field of the same name', () => {
    const schema: PostCallField[] = [{ name: 'disposition', type: 'string', description: '' }];
    const read = readEvaluation(schema, { disposition: 'mine', call_disposition: 'Won' }, ['Won']);
    expect(read).toEqual({ values: { disposition: 'mine' }, disposition: 'Won', faults: [] });
  });

  test.each([
    ['is made by the model of the assistant', {}, null],
    ['needs a model', { modelKind: null }, 'no_llm'],
    ['needs a model that can judge', { modelKind: 'built-in' }, 'no_llm'],
    ['must be wanted', { configuration: { assistant: { ...WANTED, postCallSchema: [] } } }, 'no_llm'],
    ['needs something that the person has said', { turns: [{ sender: 'bot' as const }] }, 'nothing_said'],
    ['needs a conversation', { turns: [] }, 'nothing_said'],
  ])('%s', (_what, given, expected) => {
    const turns = [{ sender: 'bot' as const }, { sender: 'human' as const }];
    const call = { configuration: { assistant: WANTED }, modelKind: 'openai', turns, ...given };
    expect(unevaluatedBecause(call)).toBe(expected);
  });
});
