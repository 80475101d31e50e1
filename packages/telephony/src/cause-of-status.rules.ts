/** What a final response of SIP says about the end of a call that was never answered. */
import type { LegEnd } from './call-leg.ts';

const CAUSES: Readonly<Record<number, LegEnd['cause']>> = {
  408: 'no-answer',
  480: 'no-answer',
  486: 'busy',
  503: 'unreachable',
  600: 'busy',
};

/** @returns null for a status without a specific cause */
export function causeOfStatus(sipStatus: number): LegEnd['cause'] | null {
  return CAUSES[sipStatus] ?? null;
}
