import { findCall, jobs, wakeCampaign } from '@parley/core';
import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { afterEach, expect, test } from 'vitest';
import { arrange, waitingJobs } from '../../test/arrange.ts';
import { createTaskList } from '../task-list.ts';

const database = useTestDatabase();
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

const insertCampaign = statement<{ id: number }>(
  '',
  `insert into campaigns (user_id, assistant_id, name, status, timezone, max_calls_in_parallel,
     is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries, retry_interval_seconds,
     is_voicemail_retried, is_unmet_goal_retried, phone_number_ids, created_at, updated_at)
   values ($1, $2, 'Spring', 'in-progress', 'UTC', 1, true, '00:00:00', '23:59:00',
     '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}', 0, 60, false, false, '[]', now(), now())
   returning id`,
);
const insertLead = statement(
  '',
  `with lead as (insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
     values ($1, $2, $3, '{}', 'created', 'waiting', now(), now()) returning id)
   insert into dial_queue (campaign_id, ready_at, lead_id, attempt) select $2, $4, id, 1 from lead`,
);
const selectCall = statement<{ callId: number }>('', 'select call_id from live_calls where campaign_id = $1');

/** A running campaign with one lead, and the tasks as the job queue runs them. */
async function setup() {
  const arrangement = await arrange(database.db);
  undo.push(arrangement.close);
  const { worker, core, identity, assistant } = arrangement;
  const [campaign] = await database.db.query(insertCampaign, [identity.userId, assistant.id]);
  const campaignId = campaign?.id ?? 0;
  const readyAt = new Date(core.clock.now());
  await database.db.query(insertLead, [identity.userId, campaignId, '+12025550142', readyAt]);
  const tasks = createTaskList(worker, ['run_campaign', 'sweep_campaigns', 'dial_call']);
  const run = async (name: string, payload: unknown) => tasks[name]?.(payload, undefined as never);
  return { ...arrangement, campaignId, run };
}

test('a woken campaign dials its lead and hands the call over to a voice process', async () => {
  const { core, identity, voice, campaignId, run } = await setup();
  await core.db.transaction((tx) => wakeCampaign(tx, campaignId));
  expect(await waitingJobs(database.db, 'run_campaign', { campaignId })).toHaveLength(1);
  await run('run_campaign', { campaignId });
  const [live] = await database.db.query(selectCall, [campaignId]);
  const callId = live?.callId ?? 0;
  expect(await findCall(core, identity, callId)).toMatchObject({
    status: 'initiated',
    campaign_name: 'Spring',
  });
  expect(await waitingJobs(database.db, 'dial_call', { callId })).toHaveLength(1);
  await run('dial_call', { callId });
  expect(voice.asked).toMatchObject([{ method: 'PUT', path: `/internal/calls/${callId}` }]);
});

test('a campaign whose job was lost is woken by the sweep', async () => {
  const { campaignId, run } = await setup();
  expect(await waitingJobs(database.db, 'run_campaign', { campaignId })).toHaveLength(0);
  await run('sweep_campaigns', {});
  expect(await waitingJobs(database.db, 'run_campaign', { campaignId })).toHaveLength(1);
});

test('a job without a campaign id is refused before it runs', () => {
  expect(jobs.run_campaign.payload.safeParse({}).success).toBe(false);
});
