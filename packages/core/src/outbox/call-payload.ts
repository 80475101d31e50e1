/**
 * The flat body that the owner of a call is sent at its end. The one translator to the wire of webhooks.
 * See docs/api.md, "Webhooks".
 */
import { isoMicroseconds, type CallFinishedPayload } from '@parley/contracts';
import type { StoredCall } from '../calls/lock-call.ts';
import type { CampaignPayload } from './load-campaign-payload.ts';

/**
 * @param call - in a final state
 * @param about.recordingUrl - null: there is none; undefined: the assistant does not send it
 */
export function callPayload(
  call: StoredCall,
  about: CampaignPayload & { recordingUrl: string | null | undefined },
): CallFinishedPayload {
  const { recordingUrl, lead, campaign } = about;
  return {
    event: 'call.finished',
    id: call.id,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    duration: call.durationSeconds,
    status: call.status,
    extracted_variables: call.variables,
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
    lead,
    campaign,
  };
}
