/** How a call ends that a carrier dials for us, by the state that the carrier reports. */
import type { LegEnd } from '../call-leg.ts';
import { causeOfStatus } from '../cause-of-status.rules.ts';

/** The states of a call, as Twilio names them. */
export type DialedState =
  | 'queued'
  | 'initiated'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'no-answer'
  | 'failed'
  | 'canceled';

/**
 * Before the stream of a call has come.
 *
 * @param sipStatus - the final response behind the state, where the carrier tells it
 * @returns null for a state that is not final
 */
export function endOfState(state: DialedState, sipStatus: number | null): LegEnd | null {
  const status = sipStatus === null ? {} : { sipStatus };
  switch (state) {
    case 'busy':
      return { cause: 'busy', ...status, detail: 'The far end is busy' };
    case 'no-answer':
      return { cause: 'no-answer', ...status, detail: 'The call was not answered' };
    case 'failed':
      return {
        cause: causeOfFailure(sipStatus),
        ...status,
        detail: 'The carrier could not connect the call',
      };
    case 'canceled':
      return { cause: 'rejected', detail: 'The call was canceled at the carrier' };
    case 'completed':
      return { cause: 'line-lost', detail: 'The call was answered and ended before its stream came' };
    case 'queued':
    case 'initiated':
    case 'ringing':
    case 'in-progress':
      return null;
  }
}

/** A carrier reports `failed` for every call that it could not connect; the response of the far end says more. */
function causeOfFailure(sipStatus: number | null): LegEnd['cause'] {
  if (sipStatus === null) return 'rejected';
  const isServerError = sipStatus >= 500 && sipStatus < 600;
  return causeOfStatus(sipStatus) ?? (isServerError ? 'unreachable' : 'rejected');
}
