import { json, statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrange, endOf, makeAnsweredCall, makeCall } from '../../test/arrange.ts';
import { countCalls, RECENT_SECONDS } from './count-calls.ts';
import { finishCall } from '../lifecycle/finish-call.ts';

const database = useTestDatabase();

const changeAllBefore = statement(
  '',
  `update calls set changed_at = clock_timestamp() - make_interval(secs => $1)`,
);

/** What a voice process reports when the line of a call has ended. */
const addQuality = statement(
  '',
  `insert into call_events (call_id, call_created_at, id, at, type, detail)
   select id, created_at, 1000, created_at, 'line_ended', jsonb_build_object('quality', $2::jsonb) from calls where id = $1`,
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
  expect(await countCalls(about.ctx)).toMatchObject({ live: [initiated], recent: [] });
});

it('adds up what went wrong in recent conversations', async () => {
  const about = await arrange(database.db);
  const none = {
    count: 0,
    unansweredTurns: 0,
    falseInterruptions: 0,
    timesTalkedOver: 0,
    longestSilenceSeconds: 0,
  };
  expect((await countCalls(about.ctx)).conversations).toEqual(none);
  for (const [unanswered_turns, longest_silence_ms] of [
    [2, 1500],
    [1, 4250],
  ]) {
    const callId = await makeAnsweredCall(about);
    const figures = { unanswered_turns, longest_silence_ms, false_interruptions: 1, times_talked_over: 3 };
    await about.ctx.db.query(addQuality, [callId, json(figures)]);
  }
  expect((await countCalls(about.ctx)).conversations).toEqual({
    count: 2,
    unansweredTurns: 3,
    falseInterruptions: 2,
    timesTalkedOver: 6,
    longestSilenceSeconds: 4.25,
  });
  await about.ctx.db.query(changeAllBefore, [RECENT_SECONDS + 1]);
  expect((await countCalls(about.ctx)).conversations).toEqual(none);
});
