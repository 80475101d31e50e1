import { expect, it } from 'vitest';
import { ManualClock, silentLog } from '@parley/runtime';
import { KeyCollector } from './key-collector.ts';
import { ToolExecutor } from './tool-executor.ts';

function setup() {
  let runs = 0;
  const executor = new ToolExecutor({
    tools: [{ type: 'run', name: 'look_up', description: '', parameters: {} }],
    definitions: [{ name: 'look_up', description: '', parameters: {} }],
    runner: { run: async () => ({ isOk: true, text: `run ${++runs}` }) },
    keys: new KeyCollector(() => 0),
    clock: new ManualClock(),
    nowMs: () => 0,
    onTransferred: () => expect.unreachable(),
    callSignal: new AbortController().signal,
    log: silentLog,
  });
  const call = async (name: string) => {
    const { use, finished } = executor.begin({ name, arguments: {} });
    await finished;
    return use;
  };
  return { call, runs: () => runs };
}

it('runs at most 100 tools in a conversation, so that a model cannot call them for ever', async () => {
  const { call, runs } = setup();
  for (let n = 0; n < 100; n++) expect(await call('look_up')).toMatchObject({ isOk: true });
  expect(await call('look_up')).toMatchObject({
    isOk: false,
    wasRefused: true,
    result: 'Tools cannot be used any more in this call.',
  });
  expect(runs()).toBe(100);
});

it('keeps only the beginning of a name that a model has invented', async () => {
  const use = await setup().call('x'.repeat(100_000));
  expect(use).toMatchObject({ name: 'x'.repeat(64), wasRefused: true, result: 'There is no such tool.' });
});
