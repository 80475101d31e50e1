import { expect, test } from 'vitest';
import { findFileNames, KnownFiles } from './named-files.ts';

const known = new KnownFiles([
  'docs/api.md',
  'apps/voice/src/tools/end-call.ts',
  'packages/core/src/calls/states.ts',
]);

const present: readonly string[] = [
  'docs/api.md',
  'api.md',
  'apps/voice',
  'apps/voice/src/tools/end-call.ts',
  'voice/tools/end-call.ts',
  'tools/end-call.ts',
  './end-call.ts',
  '../calls/states.ts',
  'packages/core/calls',
  'apps/admin/dist',
];

test.each(present)('%s is a file or folder of the repository', (name) => {
  expect(known.has(name)).toBe(true);
});

const absent: readonly string[] = [
  'docs/goals.md',
  'GOALS.md',
  'calls/end-call.ts',
  'core/states.ts',
  'apps/worker',
];

test.each(absent)('%s is not', (name) => {
  expect(known.has(name)).toBe(false);
});

const sentences: readonly [string, string[]][] = [
  ['See docs/api.md, "Calls", and `voice/inbound-call.ts`.', ['docs/api.md', 'voice/inbound-call.ts']],
  ['The table is in GOALS.md.', ['GOALS.md']],
  ['Everything below packages/core/calls is pure.', ['packages/core/calls']],
  ['[settings](settings.md) of the process', ['settings.md']],
  ['Schema tables stand in 0001-schema.sql.', ['0001-schema.sql']],
  ['Rules are called `*.rules.ts`, pages docs/decisions/<choice>.md.', ['docs/decisions']],
  ['The document is at /docs/postman.json and https://example.com/docs/page.md.', []],
];

test.each(sentences)('%s', (sentence, names) => {
  expect(findFileNames(sentence)).toEqual(names);
});
