/** Inserts campaigns with many leads by SQL: their creation is not measured. */
import type { Pool } from 'pg';
import type { CampaignTestbed } from './campaign-testbed.ts';

/** The properties of a campaign. */
export interface SeedPlan {
  /** Waiting leads. */
  waiting: number;
  /** Finished leads, which make a scan of the table slow. */
  done?: number;
  cap: number;
}

/** Rows written by one statement. */
const BATCH = 100_000;

const INSERT_CAMPAIGNS = `
  insert into campaigns (user_id, assistant_id, name, status, timezone, max_calls_in_parallel,
    is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries, retry_interval_seconds,
    is_voicemail_retried, is_unmet_goal_retried, goal_variable, phone_number_ids, created_at, updated_at)
  select $1, $2, 'Benchmark ' || n, 'draft', 'UTC', $3, true, '00:00:00', '23:59:00',
    '{monday,tuesday,wednesday,thursday,friday,saturday,sunday}', 0, 3600, false, false, null, '[]', now(), now()
  from generate_series(1, $4::int) n returning id`;

/** There are too few fictional numbers +1 NPA 555 01XX; the simulated voice process accepts any number. */
const INSERT_LEADS = `
  insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
  select $1, $2, '+1' || ($3::bigint + n)::text, '{"customer_name":"Ada"}', $6, $7, now(), now()
  from generate_series($4::int, $5::int) n`;
const FIRST_NUMBER = { waiting: 2_000_000_000, done: 9_000_000_000 };
/** SQL condition: a lead `l` that was inserted as done. */
export const IS_HISTORY = `l.phone_number >= '+1${FIRST_NUMBER.done}'`;
const QUEUE = `
  insert into dial_queue (campaign_id, ready_at, lead_id, attempt)
  select campaign_id, now(), id, 1 from leads
  where campaign_id = $1 and status = 'created' and parent_id is null`;

let numbersGiven = 0;

/** Creates identical drafts and records their settings. @returns their ids */
export async function seedCampaigns(
  testbed: CampaignTestbed,
  count: number,
  plan: SeedPlan,
): Promise<number[]> {
  const { sql, userId, assistantId } = testbed;
  const values = [userId, assistantId, plan.cap, count];
  const { rows } = await sql.query<{ id: number }>(INSERT_CAMPAIGNS, values);
  for (const { id } of rows) {
    const about = { userId, id };
    await insertLeads(sql, { ...about, count: plan.waiting, status: 'created', dialState: 'waiting' });
    await insertLeads(sql, { ...about, count: plan.done ?? 0, status: 'completed', dialState: 'done' });
    await sql.query(QUEUE, [id]);
    const never = { opensAtMs: Infinity, closesAtMs: Infinity, isComplete: false };
    testbed.campaigns.set(id, { id, cap: plan.cap, rounds: 1, ...never });
  }
  await sql.query('vacuum analyze leads');
  await sql.query('vacuum analyze dial_queue');
  return rows.map(({ id }) => id);
}

async function insertLeads(
  sql: Pool,
  leads: { userId: number; id: number; count: number; status: string; dialState: 'waiting' | 'done' },
): Promise<void> {
  const { userId, id, count, status, dialState } = leads;
  const before = FIRST_NUMBER[dialState] + numbersGiven;
  for (let from = 1; from <= count; from += BATCH) {
    const until = Math.min(count, from + BATCH - 1);
    await sql.query(INSERT_LEADS, [userId, id, before, from, until, status, dialState]);
  }
  numbersGiven += count;
}
