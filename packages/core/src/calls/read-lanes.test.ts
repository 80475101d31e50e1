import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeUser } from '../../test/arrange.ts';
import { finishCall } from '../lifecycle/finish-call.ts';
import { readLanes } from './read-lanes.ts';

const database = useTestDatabase();

it('says who spoke when, in the order of the turns, of own calls with a conversation only', async () => {
  const about = await arrange(database.db);
  const { ctx, identity } = about;
  const callId = await makeAnsweredCall(about);
  expect(await readLanes(ctx, identity, [callId])).toEqual([]);
  const end = endOf(about, callId);
  const [turn] = end.turns;
  if (!turn) throw new Error('The end has no turn.');
  await finishCall(ctx, { ...end, turns: [turn, { ...turn, sender: 'human', startMs: 950, endMs: 1_800 }] });

  const turns = [
    ['bot', 0, 900],
    ['human', 950, 1_800],
  ];
  expect(await readLanes(ctx, identity, [callId, 999_999])).toEqual([{ call_id: callId, turns }]);
  expect(await readLanes(ctx, await makeUser(ctx), [callId])).toEqual([]);
});
