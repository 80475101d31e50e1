/** A carrier that transfers: it takes a REFER, reports that the other end has answered, and waits for our BYE. */
import {
  answerCall,
  expectRequest,
  expectResponse,
  respondInDialog,
  sendInDialog,
  startSipp,
  type SippFarEnd,
} from './sipp-scenario.ts';

const notify = (sequence: number, status: string, state: string): string =>
  sendInDialog('NOTIFY', sequence, ['Event: refer', `Subscription-State: ${state}`], `SIP/2.0 ${status}`);

const STEPS = [
  ...answerCall(),
  expectRequest('REFER'),
  respondInDialog('202 Accepted'),
  notify(1, '100 Trying', 'active;expires=60'),
  expectResponse(200),
  notify(2, '200 OK', 'terminated;reason=noresource'),
  expectResponse(200),
  expectRequest('BYE'),
  respondInDialog('200 OK'),
];

/** Starts it on 127.0.0.1; it ends after its one call. */
export async function startTransferee(port: number): Promise<SippFarEnd> {
  return startSipp(STEPS, { port, calls: 1 });
}
