/** Creates and reads campaigns over the API of an installation whose processes are being killed. */
import { createAssistant, type Installation } from '@parley/e2e';
import { systemClock } from '@parley/runtime';
import type { CampaignFact, StoredCall, StoredLead } from './oracle.rules.ts';
import { insist, type PatientSql } from './patient-sql.ts';

/**
 * Creates an assistant that reports every call to the receiver, answered or not.
 *
 * @param longestSeconds - maximum duration of a call, also of one with a silent phone
 * @returns its id
 */
export async function createReportingAssistant(
  installation: Installation,
  { url }: { url: string },
  longestSeconds = 20,
): Promise<number> {
  return createAssistant(installation, {
    webhookUrl: url,
    maxCallSeconds: longestSeconds,
    ...(longestSeconds > 20 && { maxSilenceSeconds: longestSeconds }),
    isEveryEndReported: true,
  });
}

/** The settings of a campaign. */
export interface CampaignPlan {
  assistantId: number;
  numbers: readonly string[];
  cap: number;
  timezone?: string;
}

/** Times within the next hours between which a campaign may call. */
export interface Window {
  timezone: string;
  opensAtMs?: number;
  closesAtMs?: number;
}

/** Leads created concurrently. */
const WRITERS = 8;

/** Creates a campaign with its leads, as a draft without a calling window. */
export async function createCampaign(installation: Installation, plan: CampaignPlan): Promise<CampaignFact> {
  const answer = (await installation.request('POST', '/api/user/campaigns', {
    name: 'Chaos',
    assistant_id: plan.assistantId,
    timezone: plan.timezone ?? 'UTC',
    max_calls_in_parallel: plan.cap,
    max_retries: 0,
  })) as { data: { id: number } };
  const { id } = answer.data;
  await addLeads(installation, id, plan.numbers);
  return { id, cap: plan.cap, rounds: 1, opensAtMs: -Infinity, closesAtMs: Infinity, isComplete: false };
}

/** Sets a calling window that begins or ends at the given second of today. */
export async function setWindow(
  installation: Installation,
  campaign: CampaignFact,
  { timezone, ...window }: Window,
): Promise<CampaignFact> {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'medium' });
  const { opensAtMs, closesAtMs } = window;
  await installation.request('PUT', `/api/user/campaigns/${campaign.id}`, {
    ...(opensAtMs !== undefined && { allowed_hours_start_time: clock.format(opensAtMs) }),
    ...(closesAtMs !== undefined && { allowed_hours_end_time: clock.format(closesAtMs) }),
  });
  return { ...campaign, ...window };
}

async function addLeads(
  installation: Installation,
  campaignId: number,
  numbers: readonly string[],
): Promise<void> {
  const waiting = numbers.toReversed();
  const write = async (): Promise<void> => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      await installation.request('POST', '/api/user/lead', { campaign_id: campaignId, phone_number: number });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Starts or stops a campaign, with retries. @returns the time of the response, wall clock in milliseconds */
export async function tellCampaign(
  installation: Installation,
  id: number,
  action: 'start' | 'stop',
): Promise<number> {
  await insist(() =>
    installation.request('POST', '/api/user/campaigns/update-status', { campaign_id: id, action }),
  );
  return systemClock.now();
}

/** The records of some campaigns in the database. */
export interface StoredFacts {
  calls: StoredCall[];
  leads: StoredLead[];
  completeIds: number[];
}

const CALLS = `
  select campaign_id as "campaignId", client_phone_number as number, status, ended_reason as "endedReason",
    extract(epoch from answered_at)::float8 * 1000 as "answeredAtMs",
    extract(epoch from ended_at)::float8 * 1000 as "endedAtMs",
    (select extract(epoch from min(e.at))::float8 * 1000 from call_events e
     where e.call_id = c.id and e.call_created_at = c.created_at and e.type = 'dialed') as "dialedAtMs"
  from calls c where campaign_id = any($1) order by created_at`;
const LEADS = `
  select l.campaign_id as "campaignId", l.phone_number as number, l.status, q.lead_id is not null as "isQueued",
    exists (select 1 from live_calls v where v.lead_id = l.id)
      or exists (select 1 from calls c where c.lead_id = l.id
        and c.status in ('ended', 'ended_by_customer', 'ended_by_assistant')) as "isInCall"
  from leads l left join dial_queue q on q.lead_id = l.id where l.campaign_id = any($1)`;
const COMPLETE = `select id from campaigns where id = any($1) and status = 'completed'`;

/**
 * Reads the records in one snapshot, when nothing changes any more.
 *
 * @param whichLeads - SQL condition on a lead `l` and its queue entry `q`
 */
export async function readFacts(
  sql: Pick<PatientSql, 'query'>,
  campaignIds: readonly number[],
  whichLeads = 'true',
): Promise<StoredFacts> {
  const calls = await sql.query<StoredCall>(CALLS, [campaignIds]);
  const leads = await sql.query<StoredLead>(`${LEADS} and (${whichLeads})`, [campaignIds]);
  const complete = await sql.query<{ id: number }>(COMPLETE, [campaignIds]);
  return { calls, leads, completeIds: complete.map(({ id }) => id) };
}
