import { newSuiteRunBody } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { arrange } from '../../test/arrange.ts';
import { startSuiteRun } from './start-run.ts';
import { findSuiteRun } from './suite-runs.ts';
import { createSuite, deleteSuite } from './suites.ts';

const database = useTestDatabase();

test('a run stays without its suite when the suite is deleted', async () => {
  const { ctx, identity, assistant } = await arrange(database.db);
  const callers = [{ name: 'asks', script: ['Hello.'] }];
  const definition = JSON.stringify({ assistant: assistant.id, callers });
  const { id: suiteId } = await createSuite(ctx, identity, { definition });
  const run = await startSuiteRun(ctx, identity, { suiteId, limits: newSuiteRunBody.parse({}) });
  expect(run.suite_id).toBe(suiteId);
  await deleteSuite(ctx, identity, suiteId);
  expect(await findSuiteRun(ctx, identity, run.id)).toMatchObject({ suite_id: null, status: 'running' });
});
