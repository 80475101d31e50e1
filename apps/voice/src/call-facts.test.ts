import type { CoreContext } from '@parley/core';
import { ManualClock, silentLog } from '@parley/runtime';
import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '@parley/testkit';
import { statement } from '@parley/db';
import { arrangeSession } from '../test/arrange-session.ts';
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

const database = useTestDatabase();

it('stores that a phone rings once, however often the far end says so', async () => {
  const { core, leg, session, log, end } = await arrangeSession(database.db);
  const working = { ...core.db };
  let stored = 0;
  core.db.transaction = async (run, ...more) => {
    stored += 1;
    return working.transaction(run, ...more);
  };
  for (let count = 0; count < 200; count += 1) leg.ringAtFarEnd();
  await expect.poll(async () => (await end())?.status).toBe('ringing');
  leg.hangUpAtFarEnd();
  await session.finished;
  // The ringing and the end.
  expect(stored).toBe(2);
  expect(log.filter(({ event }) => event === 'ringing')).toEqual([]);
});

describe('the dialog of a far end that changes it without end', () => {
  const target = statement<{ target: string; notes: number }>(
    '',
    `select dialog->>'remoteTarget' as target,
       (select count(*)::int from call_events where call_id = $1 and type = 'dialog_changed') as notes
     from live_calls where call_id = $1`,
  );

  it('is stored beyond the limit of lines: another process must be able to end the call', async () => {
    const { core, callId, voice, answer } = await arrangeSession(database.db);
    answer();
    const dialog = (count: number) => ({ remoteTarget: `sip:${count}@far.example` }) as never;
    const facts = new CallFacts({ core, callId, fence: voice.lease.fence(), onLost: () => undefined });
    for (let count = 0; count < 1002; count += 1) facts.note('dialog_changed', {}, dialog(count));
    await facts.settled();
    expect(await core.db.query(target, [callId])).toEqual([{ target: 'sip:1001@far.example', notes: 1000 }]);
    facts.note('dialog_changed', {}, dialog(1));
    facts.note('far_end_replaced', {}, dialog(2));
    facts.note('dialog_changed', {}, dialog(3));
    facts.note('dialog_changed', {}, dialog(4));
    await facts.settled();
    expect(await core.db.query(target, [callId])).toMatchObject([{ target: 'sip:4@far.example' }]);
  });
});
