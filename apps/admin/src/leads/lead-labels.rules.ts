/** Labels of leads, and the choices of their filters. */
import type { DialVerdictRecord, LeadState } from '@parley/contracts';
import { formatInstantWithZone } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

/** The choices of the filter. */
export const stateChoices = (Object.keys(texts.states) as LeadState[]).map((value) => ({
  value,
  label: texts.states[value],
}));

/** What the dial rule decides about a lead, as a headline above its explanation. */
export function verdictHeadline({ decision, until }: Pick<DialVerdictRecord, 'decision' | 'until'>): string {
  if (decision === 'wait' && until !== null) return texts.verdict.waitUntil(formatInstantWithZone(until));
  return texts.verdict[decision];
}
