/**
 * Which rule of a number's route applies to a call: the first whose hours are open and whose countries include the caller's.
 * Hours follow the rules of calling windows, also where clocks change.
 */
import type { StoredRoute, StoredRouteAction } from '@parley/db';
import { windowAt } from '../dialing/calling-window.rules.ts';

/** What happens to a call, and why. */
export interface RoutedCall {
  /** The number of the rule, from 1; null: no rule applied. */
  rule: number | null;
  action: StoredRouteAction;
}

/** @param callerCountry - two letters, upper case; null for a caller without a number */
export function routeCall(route: StoredRoute, callerCountry: string | null, now: Date): RoutedCall {
  const index = route.rules.findIndex(
    ({ days, from, until, callerCountries }) =>
      (callerCountries.length === 0 || callerCountries.some((country) => country === callerCountry)) &&
      windowAt({ timezone: route.timezone, allowedDays: days, allowedFrom: from, allowedUntil: until }, now)
        .isOpen,
  );
  const rule = route.rules[index];
  return rule ? { rule: index + 1, action: rule.action } : { rule: null, action: route.otherwise };
}

/** The assistants that take part in an action; the first one speaks first. */
export function assistantsOf(action: StoredRouteAction): number[] {
  if (action.type === 'reject') return [];
  const choices = action.type === 'menu' ? action.choices : [];
  return [action.assistantId, ...choices.map(({ assistantId }) => assistantId)];
}
