/** The example suite of docs/evaluations.md holds: conversations in text, and a real call to a test phone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstallation, type Installation } from '../src/installation.ts';

const SUITE = fileURLToPath(new URL('../../../docs/examples/demo-suite.yaml', import.meta.url));
let installation: Installation;

beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.stop());

it('the suite of the demo assistant passes in text and by voice', { timeout: 240_000 }, async () => {
  const json = join(installation.dataDir, 'demo-suite.json');
  const access = ['--url', installation.baseUrl, '--token', installation.token];
  const table = await installation
    .cli(['test', SUITE, '--json', json, ...access])
    .catch((error: unknown) => (error as { stdout: string }).stdout);
  expect(table).toContain('4 of 4 callers passed.');
  const results = JSON.parse(await readFile(json, 'utf8')) as { callers: unknown[] };
  expect(results.callers.at(-1)).toMatchObject({
    mode: 'voice',
    is_passed: true,
    runs: [{ call: { outcome: 'talked', ended_reason: 'end_call' } }],
  });
  const { call } = (results.callers.at(-1) as { runs: { call: { id: number } }[] }).runs[0] ?? {
    call: { id: 0 },
  };
  const replay = ['--replay', String(call.id), '--assistant', '1'];
  expect(await installation.cli(['test', ...replay, ...access])).toMatch(
    /as recorded +\|  Assistant 1, now[\s\S]*Customer: /,
  );
});
