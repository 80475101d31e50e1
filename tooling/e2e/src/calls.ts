/** Calls as an integrator makes and watches them: over REST, by polling the record. */
import { pause, systemClock } from '@parley/runtime';
import type { SharedInstallation } from './installation.ts';

/** The parts of `GET /api/user/calls/{id}` that tests look at. */
export interface CallDetail {
  id: number;
  status: string;
  duration: number;
  transcript: string;
  recording_url?: string;
  ended_reason: string | null;
  turns: { sender: string; text: string; timestamp: number }[];
  events: { type: string; at: string; detail: Record<string, unknown> }[];
  webhook_response: { status?: number };
  costs: { stage: string; unit: string; quantity: number | null; amount: number | null }[];
  are_costs_complete: boolean;
}

/** Places a call. @returns its id */
export async function placeCall(
  installation: SharedInstallation,
  input: { assistantId: number; phoneNumber: string },
): Promise<number> {
  const body = { assistant_id: input.assistantId, phone_number: input.phoneNumber, variables: {} };
  const answer = (await installation.request('POST', '/api/user/make_call', body)) as { call_id: number };
  return answer.call_id;
}

/** Waits until a call's record satisfies a condition. @throws Error with the last record after the limit */
export async function waitForCall(
  installation: SharedInstallation,
  callId: number,
  condition: (call: CallDetail) => boolean,
  limitMs = 60_000,
): Promise<CallDetail> {
  const deadlineMs = systemClock.monotonic() + limitMs;
  for (let last: unknown = null; ;) {
    // While a process is being restarted the api may not answer; that is part of what is tested.
    last = await installation.request('GET', `/api/user/calls/${callId}`).catch((error: unknown) => error);
    if (last && !(last instanceof Error) && condition(last as CallDetail)) return last as CallDetail;
    if (systemClock.monotonic() > deadlineMs)
      throw new Error(
        `Call ${callId} did not get there: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
      );
    await pause(systemClock, 100);
  }
}

/** A condition of {@link waitForCall}: the call has ended, and its evaluation too. */
export const isOver = ({ status }: CallDetail): boolean => status === 'completed' || status === 'failed';

/** A condition of {@link waitForCall}: its timeline has an event of this type. */
export const hasHappened =
  (type: string) =>
  ({ events }: CallDetail): boolean =>
    events.some((event) => event.type === type);

/** The results of a call's tools, as the model got them. */
export async function toolResults(installation: SharedInstallation, callId: number): Promise<string[]> {
  const path = `/api/user/calls/${callId}`;
  const { tool_calls } = (await installation.request('GET', path)) as { tool_calls: { result: string }[] };
  return tool_calls.map(({ result }) => result);
}
