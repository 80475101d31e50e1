/** Campaigns as an integrator makes them, over the API of a house that is being shaken. */
import { createAssistant, type House } from '@parley/e2e';
import { systemClock } from '@parley/runtime';
import type { CampaignFact, StoredCall, StoredLead } from './oracle.rules.ts';
import { insist, type PatientSql } from './patient-sql.ts';

/** An assistant that tells the receiver of every call, answered or not. @returns its id */
export async function createReportingAssistant(house: House, { url }: { url: string }): Promise<number> {
  return createAssistant(house, { webhookUrl: url, maxCallSeconds: 20, isEveryEndReported: true });
}

/** What a campaign of a run is told. */
export interface CampaignPlan {
  assistantId: number;
  numbers: readonly string[];
  cap: number;
  timezone?: string;
}

/** Instants of the next hours between which a campaign may call. */
export interface Window {
  timezone: string;
  opensAtMs?: number;
  closesAtMs?: number;
}

/** Leads written at once. */
const WRITERS = 8;

/** Makes a campaign with its leads, as a draft that is open at any time. */
export async function createCampaign(house: House, plan: CampaignPlan): Promise<CampaignFact> {
  const answer = (await house.request('POST', '/api/user/campaigns', {
    name: 'Chaos',
    assistant_id: plan.assistantId,
    timezone: plan.timezone ?? 'UTC',
    max_calls_in_parallel: plan.cap,
    max_retries: 0,
  })) as { data: { id: number } };
  const { id } = answer.data;
  await addLeads(house, id, plan.numbers);
  return { id, cap: plan.cap, rounds: 1, opensAtMs: -Infinity, closesAtMs: Infinity, isComplete: false };
}

/** Gives a campaign opening hours that begin or end at given whole seconds of today. */
export async function setWindow(
  house: House,
  campaign: CampaignFact,
  { timezone, ...window }: Window,
): Promise<CampaignFact> {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'medium' });
  const { opensAtMs, closesAtMs } = window;
  await house.request('PUT', `/api/user/campaigns/${campaign.id}`, {
    ...(opensAtMs !== undefined && { allowed_hours_start_time: clock.format(opensAtMs) }),
    ...(closesAtMs !== undefined && { allowed_hours_end_time: clock.format(closesAtMs) }),
  });
  return { ...campaign, ...window };
}

async function addLeads(house: House, campaignId: number, numbers: readonly string[]): Promise<void> {
  const waiting = numbers.toReversed();
  const write = async (): Promise<void> => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      await house.request('POST', '/api/user/lead', { campaign_id: campaignId, phone_number: number });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Starts or stops; insists. @returns the instant of the answer, wall clock in milliseconds */
export async function tellCampaign(house: House, id: number, action: 'start' | 'stop'): Promise<number> {
  await insist(() => house.request('POST', '/api/user/campaigns/update-status', { campaign_id: id, action }));
  return systemClock.now();
}

/** What the database says of some campaigns. */
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
 * Read in one go, when nothing moves any more.
 *
 * @param whichLeads - SQL on a lead `l` and its place `q`; the others are not read
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
