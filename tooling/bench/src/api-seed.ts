/** Fills the tables that `bench:api` reads: a year of calls, and the leads of one campaign. */
import type { Client } from 'pg';

/** Whose rows they are. */
export interface SeedOwner {
  userId: number;
  /** The number of users, beginning with `userId`, among whom the calls are distributed; default: 1. */
  users?: number;
  assistantId: number;
}

const MONTHS = 12;
/** Rows per statement. */
const BATCH = 100_000;

/** Months of calls have partitions, as they have on a system that has run for a year. */
const MAKE_PARTITIONS = `
do $$ declare month_start timestamptz; begin
  for i in 1..${MONTHS} loop
    month_start := (date_trunc('month', now() at time zone 'UTC') - make_interval(months => i)) at time zone 'UTC';
    execute format('create table if not exists %I partition of calls for values from (%L) to (%L)',
      'calls' || to_char(month_start at time zone 'UTC', '"_y"YYYY"m"MM'), month_start, month_start + interval '1 month');
  end loop;
end $$`;

/** Numbers and words are spread so that each filter finds a different share of the rows. */
const INSERT_CALLS = `
insert into calls (id, created_at, user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status,
  assistant_phone_number, client_phone_number, answered_at, ended_at, duration_seconds, transcript, turns,
  input_variables, variables, evaluation, configuration, changed_at, updated_at)
select nextval('call_ids'), at, $1 + n % $6::int, $2 + n % 10, 'Assistant ' || n % 10,
  case when n % 4 > 0 then 1 + n % 5 end, case when n % 4 > 0 then 'Campaign ' || n % 5 end,
  (array['outbound','outbound','outbound','outbound','outbound','outbound','outbound','inbound','inbound','web'])[1 + n % 10],
  (array['completed','completed','completed','completed','completed','no-answer','no-answer','busy','failed','completed'])[1 + n * 7 % 10],
  '+12025550100', '+1' || (2125550000 + n::bigint * 7919 % 1000)::text, at, at + interval '2 minutes', 120,
  'AI: Hello, this is a call.' || E'\\n' || 'Customer: I see.', '[]', '{"customer_name":"Ada"}', '{"status":true}',
  '{"status":true,"summary":"All is well."}', '{}', at, at
from (select n, now() - interval '360 days' * (n::float8 / $5) as at from generate_series($3::int, $4::int) n) rows`;

const INSERT_LEADS = `
insert into leads (user_id, campaign_id, phone_number, variables, status, dial_state, created_at, updated_at)
select $1, $2, '+1' || (3125550000 + n)::text, '{"customer_name":"Ada","email":"ada@parley.example"}', 'created', 'waiting', now(), now()
from generate_series($3::int, $4::int) n`;

/** Writes `count` calls, counts them, and lets Postgres look at them. */
export async function seedCalls(
  client: Client,
  { userId, assistantId, users = 1 }: SeedOwner,
  count: number,
): Promise<void> {
  await client.query(MAKE_PARTITIONS);
  // Counted together afterwards, which costs less than one by one.
  await client.query('alter table calls disable trigger calls_count_insert');
  for (let from = 1; from <= count; from += BATCH) {
    const until = Math.min(count, from + BATCH - 1);
    await client.query(INSERT_CALLS, [userId, assistantId, from, until, count, users]);
  }
  await client.query('alter table calls enable trigger calls_count_insert');
  await client.query('select parley_recount_calls()');
  await client.query('vacuum analyze calls');
  await client.query('vacuum analyze call_counts');
  await client.query('vacuum analyze call_day_counts');
}

/** Writes leads number `from` to `until` of a campaign. */
export async function seedLeads(
  client: Client,
  { userId, campaignId, from, until }: { userId: number; campaignId: number; from: number; until: number },
): Promise<void> {
  for (let first = from; first <= until; first += BATCH) {
    await client.query(INSERT_LEADS, [userId, campaignId, first, Math.min(until, first + BATCH - 1)]);
  }
  await client.query('vacuum analyze leads');
}
