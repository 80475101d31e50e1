/** The only translation of a call's rows to the API: the record of lists, and the detail. */
import {
  isoMicroseconds,
  localDateTime,
  type CallCost,
  type CallDetail,
  type CallEvent,
  type CallRecord,
  type CallSummary,
  type CallTurn,
  type DispositionSource,
  type EndReason,
  type ToolCall,
  type WebhookDelivery,
} from '@parley/contracts';
import type {
  CallEventRow,
  CallRow,
  DeliveryAttemptRow,
  DeliveryRow,
  StoredCost,
  StoredToolCall,
  StoredTurn,
  StoredCallerIdentity,
} from '@parley/db';
import { outcomeOf } from './call-outcome.rules.ts';
import { areComplete } from '../prices/call-costs.rules.ts';
import { recordingUrl, type RecordingUrlContext } from '../recordings/recording-url.ts';

/** The columns of the list, without the large ones of the detail. */
export type CallListRow = Pick<
  CallRow,
  | 'id'
  | 'assistantName'
  | 'campaignName'
  | 'type'
  | 'durationSeconds'
  | 'assistantPhoneNumber'
  | 'clientPhoneNumber'
  | 'status'
  | 'transcript'
  | 'variables'
  | 'evaluation'
  | 'webhookResponse'
  | 'carrierCost'
  | 'totalCost'
  | 'answeredBy'
  | 'createdAt'
  | 'updatedAt'
> & {
  endedReason: EndReason | null;
  /** Null without a finished recording. */
  urlSecret: Buffer | null;
  disposition: string | null;
};

/** SQL of {@link CallListRow}'s columns, for a query over `calls c` with {@link CALL_LIST_JOINS}. */
export const CALL_LIST_COLUMNS = `c.id, c.assistant_name, c.campaign_name, c.type, c.duration_seconds,
  c.assistant_phone_number, c.client_phone_number, c.status, c.transcript, c.variables, c.evaluation,
  c.webhook_response, c.carrier_cost, c.total_cost, c.answered_by, c.ended_reason,
  c.created_at, c.updated_at, r.url_secret, d.disposition`;

/** The joins that the columns above require, with their aliases. */
export const CALL_LIST_JOINS = `left join recordings r on r.call_id = c.id and r.is_finished
  left join call_dispositions d on d.call_id = c.id`;

/** Options for the records of one reader. */
export interface RecordOptions extends RecordingUrlContext {
  /** The time zone of local date-times. */
  timezone: string;
}

/** The record of lists: exactly the fields of the API's reference. */
export function callRecord(row: CallListRow, options: RecordOptions): CallRecord {
  const { urlSecret } = row;
  return {
    id: row.id,
    assistant_name: row.assistantName,
    // Undefined fields are omitted.
    campaign_name: row.campaignName ?? undefined,
    type: row.type,
    duration: row.durationSeconds,
    assistant_phone_number: row.assistantPhoneNumber,
    client_phone_number: row.clientPhoneNumber,
    status: row.status,
    transcript: row.transcript,
    variables: row.variables,
    evaluation: row.evaluation,
    webhook_response: row.webhookResponse,
    carrier_cost: row.carrierCost,
    total_cost: row.totalCost,
    answered_by: row.answeredBy,
    recording_url: urlSecret ? recordingUrl(options, { callId: row.id, urlSecret }) : undefined,
    created_at: localDateTime(row.createdAt, options.timezone),
    updated_at: localDateTime(row.updatedAt, options.timezone),
  };
}

/** The record, the outcome and the disposition, which the public list does not have. */
export function callSummary(row: CallListRow, options: RecordOptions): CallSummary {
  return { ...callRecord(row, options), outcome: outcomeOf(row), disposition: row.disposition };
}

/** The columns of the detail. */
export type CallDetailRow = CallListRow &
  Pick<
    CallRow,
    | 'assistantId'
    | 'campaignId'
    | 'divertedFrom'
    | 'callerName'
    | 'callerIdentity'
    | 'answeredAt'
    | 'endedAt'
    | 'endedBy'
    | 'inputVariables'
    | 'turns'
    | 'toolCalls'
    | 'costs'
  > & {
    /** Null when the call is over and its SIP trace was removed; the costs of an answered call name the trunk too. */
    trunkName: string | null;
    dispositionSource: DispositionSource | null;
  };

/** The parts of a detail that are in other tables. */
export interface CallChildren {
  events: readonly Pick<CallEventRow, 'at' | 'type' | 'detail'>[];
  deliveries: readonly DeliveryRow[];
  attempts: readonly DeliveryAttemptRow[];
}

function identityRecord(identity: StoredCallerIdentity): NonNullable<CallDetail['caller_identity']> {
  const { verstat, attestation, signature, originId } = identity;
  return { verstat, attestation, signature, origination_id: originId };
}

/** The detail of a call; its additional fields are extensions of the API. */
export function callDetail(row: CallDetailRow, children: CallChildren, options: RecordOptions): CallDetail {
  return {
    ...callSummary(row, options),
    assistant_id: row.assistantId,
    campaign_id: row.campaignId,
    disposition_source: row.dispositionSource,
    sip_trunk_name: row.costs.find(({ stage }) => stage === 'carrier')?.name ?? row.trunkName,
    diverted_from: row.divertedFrom,
    caller_name: row.callerName,
    caller_identity: row.callerIdentity && identityRecord(row.callerIdentity),
    answered_at: row.answeredAt && isoMicroseconds(row.answeredAt),
    disclosed_at: disclosedAt(children.events),
    ended_at: row.endedAt && isoMicroseconds(row.endedAt),
    ended_by: row.endedBy,
    ended_reason: row.endedReason,
    input_variables: row.inputVariables,
    turns: row.turns.map(turnRecord),
    events: children.events.map(eventRecord),
    tool_calls: row.toolCalls.map(toolCallRecord),
    webhook_deliveries: children.deliveries.map((delivery) => deliveryRecord(delivery, children.attempts)),
    costs: row.costs.map(costRecord),
    are_costs_complete: areComplete(row.costs),
  };
}

/** A message that was cut has an event too. In a machine's recording it is spoken once more; the first time counts. */
function disclosedAt(events: CallChildren['events']): string | null {
  const disclosed = events.find(({ type, detail }) => type === 'disclosed' && detail['is_complete'] === true);
  return disclosed ? isoMicroseconds(disclosed.at) : null;
}

/** One turn of the conversation. */
export function turnRecord(turn: StoredTurn): CallTurn {
  return {
    sender: turn.sender,
    timestamp: turn.startedAtMs / 1000,
    text: turn.text,
    start_ms: turn.startMs,
    end_ms: turn.endMs,
    is_interrupted: turn.isInterrupted,
    latency: turn.latencyMs,
  };
}

/** One use of a tool. */
export function toolCallRecord(call: StoredToolCall): ToolCall {
  return {
    name: call.name,
    arguments: call.arguments,
    start_ms: call.startMs,
    duration_ms: call.durationMs,
    is_error: call.isError,
    result: call.result,
  };
}

function costRecord({ isEstimated, pricePer, ...cost }: StoredCost): CallCost {
  return { ...cost, is_estimated: isEstimated, price_per: pricePer };
}

/** One line of the timeline. */
export function eventRecord(event: CallChildren['events'][number]): CallEvent {
  return { at: isoMicroseconds(event.at), type: event.type, detail: event.detail };
}

function deliveryRecord(delivery: DeliveryRow, attempts: readonly DeliveryAttemptRow[]): WebhookDelivery {
  return {
    id: delivery.id,
    event: delivery.event,
    url: delivery.url,
    status: delivery.status,
    next_attempt_at: delivery.nextAttemptAt && isoMicroseconds(delivery.nextAttemptAt),
    attempts: attempts
      .filter(({ deliveryId }) => deliveryId === delivery.id)
      .map((attempt) => ({
        number: attempt.number,
        at: isoMicroseconds(attempt.at),
        status: attempt.status,
        response_body: attempt.status === null ? null : attempt.responseBody,
        error: attempt.error,
        duration_ms: attempt.durationMs,
      })),
  };
}
