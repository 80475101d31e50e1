/**
 * The body of the webhook at the end of a call. The only translation to the wire format of webhooks. See docs/api.md,
 * "Webhooks".
 */
import { isoMicroseconds, type CallFinishedPayload } from '@parley/contracts';
import { outcomeOf } from '../calls/call-outcome.rules.ts';
import type { StoredCall } from '../calls/lock-call.ts';
import type { CampaignPayload } from './load-campaign-payload.ts';

/** The stored sums of the costs of a call. */
export interface CostSums {
  carrierCost: number;
  totalCost: number;
}

/**
 * @param call - in a final state
 * @param about.recordingUrl - null: there is none; undefined: the assistant does not send it
 */
export function callPayload(
  call: StoredCall,
  about: CampaignPayload & { costs: CostSums; recordingUrl: string | null | undefined },
): CallFinishedPayload {
  const { recordingUrl, costs, lead, campaign, disposition } = about;
  const outcome = outcomeOf(call);
  if (outcome === null) throw new Error('A webhook reports finished calls only');
  return {
    event: 'call.finished',
    id: call.id,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    duration: call.durationSeconds,
    status: call.status,
    assistant_id: call.assistantId,
    campaign_id: call.campaignId,
    ended_reason: call.endedReason,
    outcome,
    disposition,
    extracted_variables: extractedVariables(call),
    evaluation: call.evaluation,
    input_variables: call.inputVariables,
    transcript: call.transcript,
    turns: call.turns.map((turn) => ({
      sender: turn.sender,
      timestamp: turn.startedAtMs / 1000,
      text: turn.text,
    })),
    ...(recordingUrl !== undefined && { recording_url: recordingUrl }),
    created_at: isoMicroseconds(call.createdAt),
    finished_at: isoMicroseconds(call.endedAt ?? call.updatedAt),
    carrier_cost: costs.carrierCost,
    total_cost: costs.totalCost,
    lead,
    campaign,
  };
}

/** The evaluation takes precedence over variables that tools collected, except where it is empty. */
function extractedVariables({ variables, evaluation }: StoredCall): Record<string, unknown> {
  const found = Object.entries(evaluation).filter(
    ([name, value]) => value !== null || !Object.hasOwn(variables, name),
  );
  return Object.fromEntries([...Object.entries(variables), ...found]);
}
