/** When the sessions that block a transaction are looked for; that they are ended: `campaigns/update-campaign-status.test.ts`. */
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { makeContext } from '../../test/arrange.ts';
import { recordStatements } from '../../test/record-statements.ts';
import { pastFrozenProcesses } from './past-frozen-processes.ts';

const database = useTestDatabase();
const CHECK_EVERY_MS = 100;
const doNothing = statement('', 'select 1');

test.each([
  ['between two checks', 0],
  ['during a check', CHECK_EVERY_MS],
])('a transaction that ends %s ends no other session afterwards', async (_what, durationMs) => {
  const { ctx: plain, clock } = makeContext(database.db);
  const { ctx, names } = recordStatements(plain);
  const checks = () => names.filter((name) => name === 'end_idle_blockers').length;
  const result = await pastFrozenProcesses(ctx, async () => {
    clock.advance(durationMs);
    return 'done';
  });
  expect(result).toBe('done');
  const before = checks();
  expect(before).toBe(durationMs / CHECK_EVERY_MS);
  for (let count = 0; count < 3; count++) {
    clock.advance(CHECK_EVERY_MS);
    await ctx.db.query(doNothing);
  }
  expect(checks()).toBe(before);
});
