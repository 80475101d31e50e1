import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeCall } from '../../test/arrange.ts';
import { countCalls, RECENT_SECONDS } from './count-calls.ts';
import { finishCall } from '../lifecycle/finish-call.ts';

const database = useTestDatabase();

const changeAllBefore = statement(
  'test_change_calls_before',
  `update calls set changed_at = clock_timestamp() - make_interval(secs => $1)`,
);

it('counts calls by type and state: the live ones, and the recent ones as long as they are recent', async () => {
  const about = await arrange(database.db);
  await makeCall(about);
  const callId = await makeAnsweredCall(about);
  await finishCall(about.ctx, { ...endOf(about, callId), endedReason: 'process_lost' });

  const initiated = { type: 'outbound', status: 'initiated', count: 1 };
  const { live, recent } = await countCalls(about.ctx);
  expect(live).toEqual([initiated]);
  expect(recent).toHaveLength(2);
  expect(recent).toContainEqual({ ...initiated, outcome: null });
  expect(recent.map(({ outcome }) => outcome)).toContain('our_fault');

  await about.ctx.db.query(changeAllBefore, [RECENT_SECONDS + 1]);
  expect(await countCalls(about.ctx)).toEqual({ live: [initiated], recent: [] });
});
