/** The week of a route: which rule applies when, by the rules of calling windows. */
import type { InboundRouteRecord } from '@parley/contracts';
import { weekSpans, type Span } from '../campaigns/week-spans.rules.ts';

/** Minutes since midnight, and the index of the rule. */
export interface RouteSpan extends Span {
  rule: number;
}

/**
 * One entry for each day, Monday first. Where several rules are open, the first one counts. Rules for callers of some
 * countries are left out: at the same time other callers have another rule.
 */
export function routeWeek(
  rules: readonly Pick<InboundRouteRecord['rules'][number], 'days' | 'from' | 'until' | 'caller_countries'>[],
): { label: string; spans: RouteSpan[] }[] {
  const week = weekSpans({
    allowed_days: [],
    allowed_hours_start_time: '0:0',
    allowed_hours_end_time: '0:0',
  });
  const days = week.map(({ label }) => ({ label, spans: [] as RouteSpan[] }));
  for (const [rule, { days: allowed, from, until, caller_countries: countries }] of rules.entries()) {
    if (countries.length > 0) continue;
    const hours = { allowed_days: allowed, allowed_hours_start_time: from, allowed_hours_end_time: until };
    for (const [place, { spans }] of weekSpans(hours).entries()) {
      const taken = days[place]?.spans ?? [];
      const free = taken.reduce(without, spans);
      taken.push(...free.map((span) => ({ ...span, rule })));
    }
  }
  return days;
}

/** The parts of `spans` outside of one that is taken. */
function without(spans: readonly Span[], taken: Span): Span[] {
  return spans.flatMap(({ from, until }) =>
    [
      { from, until: Math.min(until, taken.from) },
      { from: Math.max(from, taken.until), until },
    ].filter((part) => part.from < part.until),
  );
}
