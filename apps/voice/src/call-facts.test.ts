import type { CoreContext } from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import { expect, it } from 'vitest';
import { CallFacts } from './call-facts.ts';

it('stores at most 1000 lines of one type, whatever the far end does', async () => {
  let stored = 0;
  const transaction = async () => void (stored += 1);
  const core = { clock: new ManualClock(), log: silentLog, db: { transaction } } as unknown as CoreContext;
  const fence = { processId: 1 } as never;
  const facts = new CallFacts({ core, callId: 1, fence, onLost: () => undefined });
  for (let count = 0; count < 1500; count += 1) facts.note('held', {});
  facts.note('resumed', {});
  await facts.settled();
  expect(stored).toBe(1001);
});
