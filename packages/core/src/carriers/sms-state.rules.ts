/**
 * The states of a text message, and what the job does next.
 *
 * - `queued` waits for the job, which claims it as `sending` before it asks the carrier.
 * - `sending`: the carrier has been asked, and its answer is not known. It is looked for there, and never sent again.
 * - `sent`: the carrier has it. It is asked about delivery for a day.
 * - `delivered`, `undelivered`, `failed`, `unknown` are final. `unknown`: the carrier does not say whether it was sent.
 */
import type { SmsMessageRow } from '@parley/db';

/** What the job does with a message. */
export type SmsStep = 'send' | 'wait' | 'look-for' | 'ask' | 'none';

const DAY_MS = 24 * 3_600_000;
/** Longer than a request to a carrier lasts: another run may be waiting for its answer. */
const REQUEST_MS = 45_000;
const SHORTEST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** @param ages - since the message was accepted, and since its last change */
export function nextStep(
  status: SmsMessageRow['status'],
  { ageMs, unchangedMs }: { ageMs: number; unchangedMs: number },
): SmsStep {
  if (status === 'queued') return 'send';
  if (status === 'sending') return unchangedMs < REQUEST_MS ? 'wait' : 'look-for';
  return status === 'sent' && ageMs < DAY_MS ? 'ask' : 'none';
}

/** How long after a look the next one follows: as long as the message is old, within limits. */
export function pauseBeforeNextLook(ageMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, ageMs));
}
