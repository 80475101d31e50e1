/** Days of a filter as instants, in the time zone of the browser, as all times of a page. */

const DAY_MS = 86_400_000;

/** From the beginning of the first day until the end of the last one, both `YYYY-MM-DD`. */
export function instantsOf(days: { from?: string; until?: string }): { from?: string; to?: string } {
  const { from, until } = days;
  return {
    ...(from !== undefined && { from: startOf(from).toISOString() }),
    ...(until !== undefined && { to: startOf(dayAfter(until)).toISOString() }),
  };
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`);
}

/** A day with a change of clocks has not 24 hours, so the calendar counts and not the clock. */
function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
