import { fileURLToPath } from 'node:url';
import { systemClock } from '@parley/runtime';
import { expect, test } from 'vitest';
import { createProgram } from '../src/program.ts';
import { commandDocument } from './command-document.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/command-line.md', import.meta.url));

test('the page of the command line matches the commands', async () => {
  const program = createProgram({
    environment: {},
    clock: systemClock,
    signal: new AbortController().signal,
    write: () => undefined,
    remark: () => undefined,
    ask: null,
  });
  await expect(commandDocument(program)).toMatchFileSnapshot(DOCUMENT);
});
