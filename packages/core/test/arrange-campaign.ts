/** What tests of dialing stand on: a running campaign with leads, and hands to play the phone network with. */
import type { EndReason } from '@parley/contracts';
import { json, statement } from '@parley/db';
import {
  authorizeDial,
  completeCall,
  finishCall,
  recordCallEvent,
  type DialAuthorization,
  type FinishCallInput,
} from '../src/index.ts';
import { intendFor, endOf, freshNumber, type Arrangement } from './arrange.ts';

/** Columns of a campaign that a test cares about; all others are wide open. */
export interface CampaignFields {
  status?: string;
  timezone?: string;
  maxCallsInParallel?: number;
  isCompletedWithoutLeads?: boolean;
  allowedFrom?: string;
  allowedUntil?: string;
  allowedDays?: string[];
  maxRetries?: number;
  retryIntervalSeconds?: number;
  isVoicemailRetried?: boolean;
  isUnmetGoalRetried?: boolean;
  goalVariable?: string | null;
  phoneNumberIds?: number[];
  dispositions?: string[];
}

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const insertCampaign = statement<{ id: number }>(
  '',
  `insert into campaigns (user_id, assistant_id, name, status, timezone, max_calls_in_parallel,
     is_completed_without_leads, allowed_from, allowed_until, allowed_days, max_retries, retry_interval_seconds,
     is_voicemail_retried, is_unmet_goal_retried, goal_variable, phone_number_ids, created_at, updated_at, dispositions)
   values ($1, $2, 'Spring', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17) returning id`,
);

/** In progress, unless the fields say otherwise. */
export async function makeCampaign(about: Arrangement, fields: CampaignFields = {}): Promise<number> {
  const [row] = await about.ctx.db.query(insertCampaign, [
    about.identity.userId,
    about.assistant.id,
    fields.status ?? 'in-progress',
    fields.timezone ?? 'UTC',
    fields.maxCallsInParallel ?? 3,
    fields.isCompletedWithoutLeads ?? true,
    fields.allowedFrom ?? '00:00:00',
    fields.allowedUntil ?? '23:59:00',
    fields.allowedDays ?? EVERY_DAY,
    fields.maxRetries ?? 3,
    fields.retryIntervalSeconds ?? 3600,
    fields.isVoicemailRetried ?? false,
    fields.isUnmetGoalRetried ?? false,
    fields.goalVariable ?? null,
    json(fields.phoneNumberIds ?? []),
    new Date(about.clock.now()),
    fields.dispositions ?? [],
  ]);
  if (!row) throw new Error('A campaign could not be written');
  return row.id;
}

const insertLead = statement<{ id: number }>(
  '',
  `insert into leads (user_id, campaign_id, parent_id, phone_number, variables, status, dial_state, created_at, updated_at)
   values ($1, $2, $3, $4, $5, 'created', 'waiting', $6, $6) returning id`,
);
const insertEntry = statement(
  '',
  `insert into dial_queue (campaign_id, ready_at, lead_id, attempt) values ($1, $2, $3, 1)`,
);

/** A lead that waits in the queue, with secondary contacts. */
export async function makeLead(
  about: Arrangement,
  campaignId: number,
  { phoneNumber = freshNumber(), contacts = [] as string[], variables = {} } = {},
): Promise<{ id: number; phoneNumber: string; contactIds: number[] }> {
  const at = new Date(about.clock.now());
  const insert = async (parentId: number | null, number: string): Promise<number> => {
    const values = [about.identity.userId, campaignId, parentId, number, json(variables), at];
    const [row] = await about.ctx.db.query(insertLead, values);
    return row?.id ?? 0;
  };
  const id = await insert(null, phoneNumber);
  const contactIds: number[] = [];
  for (const contact of contacts) contactIds.push(await insert(id, contact));
  await about.ctx.db.query(insertEntry, [campaignId, at, id]);
  return { id, phoneNumber, contactIds };
}

/** Several leads, each with a number of its own. */
export async function makeLeads(about: Arrangement, campaignId: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++) ids.push((await makeLead(about, campaignId)).id);
  return ids;
}

/** A live call of a campaign. */
export interface LiveDial {
  callId: number;
  leadId: number;
  clientPhoneNumber: string;
}

const selectLive = statement<LiveDial>(
  '',
  `select call_id, lead_id, client_phone_number from live_calls where campaign_id = $1 order by call_id`,
);

/** The calls of a campaign that count against its limit. */
export async function liveDials(about: Arrangement, campaignId: number): Promise<LiveDial[]> {
  return about.ctx.db.query(selectLive, [campaignId]);
}

/** The campaign's one live call. */
export async function onlyDial(about: Arrangement, campaignId: number): Promise<LiveDial> {
  const [dial, ...others] = await liveDials(about, campaignId);
  if (!dial || others.length > 0)
    throw new Error(`Expected one live call, found ${others.length + (dial ? 1 : 0)}`);
  return dial;
}

/** A voice process asks whether it may send the INVITE. */
export async function askToDial(about: Arrangement, callId: number): Promise<DialAuthorization> {
  await intendFor(about.ctx, callId, about.fence);
  return authorizeDial(about.ctx, { callId, fence: about.fence });
}

/** The INVITE leaves, and the line says how it went. */
export async function endUnanswered(
  about: Arrangement,
  callId: number,
  event: 'busy' | 'no-answer' | 'failed',
  reason: EndReason = event === 'no-answer' ? 'no_answer' : event,
): Promise<void> {
  await askToDial(about, callId);
  const at = new Date(about.clock.now());
  await recordCallEvent(about.ctx, { callId, event, at, detail: { reason }, fence: about.fence });
}

/** Answered, talked, hung up; not settled yet. */
export async function talk(
  about: Arrangement,
  callId: number,
  end: Partial<FinishCallInput> = {},
): Promise<void> {
  await askToDial(about, callId);
  const at = new Date(about.clock.now());
  await recordCallEvent(about.ctx, { callId, event: 'answered', at, fence: about.fence });
  await finishCall(about.ctx, { ...endOf(about, callId), ...end });
}

/** Answered, talked, hung up and settled. */
export async function talkAndSettle(
  about: Arrangement,
  callId: number,
  end: Partial<FinishCallInput> = {},
): Promise<void> {
  await talk(about, callId, end);
  await completeCall(about.ctx, callId);
}

/** What is stored of a lead, and its place in the queue. */
export interface LeadState {
  status: string;
  dialState: string;
  dialReason: string | null;
  attempts: number;
  readyAt: Date | null;
  round: number | null;
}

const selectLead = statement<LeadState>(
  '',
  `select l.status, l.dial_state, l.dial_reason, l.attempts, q.ready_at, q.attempt as round
   from leads l left join dial_queue q on q.lead_id = l.id where l.id = $1`,
);

/** @param leadId - a lead or a contact */
export async function leadState(about: Arrangement, leadId: number): Promise<LeadState> {
  const [state] = await about.ctx.db.query(selectLead, [leadId]);
  if (!state) throw new Error('There is no such lead');
  return state;
}

const selectStatus = statement<{ status: string }>('', `select status from campaigns where id = $1`);

export async function campaignStatus(about: Arrangement, campaignId: number): Promise<string | undefined> {
  return (await about.ctx.db.query(selectStatus, [campaignId]))[0]?.status;
}

/** Writes one column of a campaign, as its owner might. */
export async function setCampaign(
  about: Arrangement,
  campaignId: number,
  column:
    | 'status'
    | 'allowed_until'
    | 'max_calls_in_parallel'
    | 'max_retries'
    | 'is_lead_timezone_respected'
    | 'is_consent_required',
  value: string | number | boolean,
): Promise<void> {
  const update = statement(`test_set_${column}`, `update campaigns set ${column} = $2 where id = $1`);
  await about.ctx.db.query(update, [campaignId, value]);
}

const selectJob = statement<{ runAt: Date }>(
  '',
  `select run_at from graphile_worker.jobs where key = any($1) order by run_at limit 1`,
);

/** When the campaign is looked at next; null: it waits for a call's end, or for nothing. */
export async function nextLook(about: Arrangement, campaignId: number): Promise<Date | null> {
  const keys = [`campaign:${campaignId}`, `campaign:${campaignId}:later`];
  const [job] = await about.ctx.db.query(selectJob, [keys]);
  return job?.runAt ?? null;
}
