/** How many leads of a campaign are done: reached, or called as often as the campaign allows. */

interface Counts {
  leads: number;
  completed: number;
  reached_max_retries: number;
}

/** In whole percent; 100 only when no lead is left. */
export function leadProgress({ leads, completed, reached_max_retries: missed }: Counts): {
  done: number;
  percent: number;
} {
  const done = Math.min(leads, completed + missed);
  return { done, percent: leads === 0 ? 0 : Math.floor((done / leads) * 100) };
}
