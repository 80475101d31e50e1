/**
 * `npm run test:random`: the generated tests with other cases than `npm test` draws. `--seed 7` repeats a run; `--runs 100`
 * draws more requests of each endpoint, and more sequences of edits and calls of people. `--messages 1000000` sends that many
 * mutated SIP messages instead, and nothing else. A failing case becomes a separate test.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runVitest } from './run-vitest.ts';

/** Tests that draw their cases: with fast-check, or from `PARLEY_SEED`. */
const GENERATED = [
  'apps/api/test/generated',
  'calling-window.rules.test',
  'conversation-people.test',
  'campaign-life.test',
  'random-edits.test',
  'rebinding.test',
  'turn-silence.properties.test',
  'packages/sip',
];

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, runs: text, messages: text } });
const seed = values.seed ?? String(randomInt(2 ** 31));
const messages = values.messages ? ` --messages ${values.messages}` : '';
process.stdout.write(`Repeat this run with: npm run test:random -- --seed ${seed}${messages}\n`);
const environment = {
  ...process.env,
  PARLEY_SEED: seed,
  ...(values.runs ? { PARLEY_FUZZ_RUNS: values.runs } : {}),
  ...(values.messages ? { SIP_MUTATIONS: values.messages } : {}),
};
const tests = values.messages ? ['packages/sip/test/mutation.test'] : GENERATED;
process.exitCode = runVitest(['--project', 'packages', ...tests], environment);
