/**
 * The order of statements in the hot use cases. It is the order in which they lock rows, and two use cases that lock in
 * different orders deadlock: call, lead, campaign, trunk, shared limits, new call (dialing/campaign-rows.ts). A change of a
 * list below is a change of lock order, and has to be compared with all others.
 */
import { useTestDatabase } from '@parley/testkit';
import { expect, test } from 'vitest';
import { makeCampaign, makeLead, onlyDial } from '../../test/arrange-campaign.ts';
import {
  arrange,
  endOf,
  freshNumber,
  intendFor,
  makeAnsweredCall,
  makeDialedCall,
} from '../../test/arrange.ts';
import { recordStatements } from '../../test/record-statements.ts';
import { fillCampaign } from '../dialing/fill-campaign.ts';
import { authorizeDial } from './authorize-dial.ts';
import { finishCall } from './finish-call.ts';
import { placeCall } from './place-call.ts';
import { recordCallEvent } from './record-call-event.ts';

const database = useTestDatabase();

async function setup() {
  const about = await arrange(database.db);
  return { ...about, ...recordStatements(about.ctx), plain: about };
}

async function setupCampaign() {
  const about = await setup();
  const campaignId = await makeCampaign(about.plain);
  await makeLead(about.plain, campaignId);
  return { ...about, campaignId };
}

async function setupCampaignCall() {
  const about = await setupCampaign();
  await fillCampaign(about.plain.ctx, { campaignId: about.campaignId });
  const { callId } = await onlyDial(about.plain, about.campaignId);
  await intendFor(about.plain.ctx, callId, about.fence);
  return {
    ...about,
    callId,
    asker: { callId, fence: about.fence },
  };
}

test('placing a call', async () => {
  const { ctx, names, identity, assistant } = await setup();
  await placeCall(ctx, identity, { phoneNumber: freshNumber(), assistantId: assistant.id });
  expect(names).toEqual([
    'begin',
    'call_configuration',
    'route_trunks',
    'route_numbers',
    'destination_policy',
    'fleet_capacity',
    'is_on_do_not_call_list',
    'attempt_allowed_at',
    'lock_call_limits',
    'call_load',
    'live_call_of_number',
    'insert_calls',
    'add_job',
  ]);
});

test('filling a campaign', async () => {
  const { ctx, names, campaignId } = await setupCampaign();
  await fillCampaign(ctx, { campaignId });
  expect(names).toEqual([
    'begin',
    'lock_campaign',
    'forget_campaign_wakes',
    'count_campaign_calls',
    'call_configuration',
    'route_trunks',
    'route_numbers',
    'destination_policy',
    'fleet_capacity',
    'call_load',
    'lock_call_limits',
    'call_load',
    'voice_loads',
    'ready_queue_entries',
    'lock_claimed_leads',
    'lead_numbers',
    'remove_queue_entries',
    'insert_calls',
    'set_dial_state',
    'add_dial_jobs',
    'ready_queue_entries',
    'next_ready_queue_entry',
    'complete_campaign',
  ]);
});

test('the permission to dial for a campaign', async () => {
  const { ctx, names, asker } = await setupCampaignCall();
  await authorizeDial(ctx, asker);
  expect(names).toEqual([
    'begin',
    'lock_dial',
    'lock_lead_numbers',
    'lead_numbers',
    'pin_campaign',
    'count_other_campaign_calls',
    'reach_of_dial',
    'destination_policy',
    'account_capacity_of_dial',
    'trunk_load_of_dial',
    'lock_dial_usage',
    'mark_invite_sent',
    'insert_call_event',
    'add_number_attempt',
    'insert_endpoint_deliveries',
  ]);
});

test('an answer', async () => {
  const { ctx, names, plain, fence, clock } = await setup();
  const callId = await makeDialedCall(plain);
  await recordCallEvent(ctx, { callId, event: 'answered', at: new Date(clock.now()), fence });
  expect(names).toEqual([
    'begin',
    'lock_live_call',
    'lock_live_history',
    'update_call',
    'note_answer',
    'note_trunk_outcome',
    'insert_endpoint_deliveries',
    'trunk_success',
    // The first call of this trunk that got through.
    'write_first_trunk_success',
  ]);
});

test('the end of an answered call that needs no evaluation', async () => {
  const { ctx, names, plain } = await setup();
  const callId = await makeAnsweredCall(plain);
  await finishCall(ctx, endOf(plain, callId));
  expect(names).toEqual([
    'begin',
    'lock_live_call',
    'lock_live_history',
    'model_kind',
    'update_call',
    'charged_line',
    'insert_endpoint_deliveries',
    'charged_providers',
    'charged_prices',
    'add_costs',
    'webhook_settings',
    'next_held_campaign',
    'delete_live_call',
  ]);
});

test('the end of a campaign call that was not answered', async () => {
  const { ctx, names, plain, asker, callId, fence, clock } = await setupCampaignCall();
  await authorizeDial(plain.ctx, asker);
  await recordCallEvent(ctx, { callId, event: 'busy', at: new Date(clock.now()), fence });
  expect(names).toEqual([
    'begin',
    'lock_live_call',
    'lock_live_history',
    'update_call',
    'charged_line',
    'insert_endpoint_deliveries',
    'charged_providers',
    'charged_prices',
    'lock_lead_numbers',
    'lead_numbers',
    'read_campaign',
    'webhook_settings',
    'next_held_campaign',
    'delete_live_call',
    'settle_leads',
    'queue_lead_again',
    'note_trunk_outcome',
    'trunk_success',
    // The first call of this trunk that got through.
    'write_first_trunk_success',
    'note_campaign_wakes',
    'begin',
    'lock_campaign',
    'forget_campaign_wakes',
    'count_campaign_calls',
    'call_configuration',
    'route_trunks',
    'route_numbers',
    'destination_policy',
    'fleet_capacity',
    'call_load',
    'lock_call_limits',
    'call_load',
    'voice_loads',
    'ready_queue_entries',
    'next_ready_queue_entry',
    'add_job',
  ]);
});
