/** What the overview and the charts of campaigns ask for. The router asks before the scripts of the page have arrived. */
import { readLocalStorageValue } from '@mantine/hooks';
import { type AdminClient, ALONE } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';

type Queries = AdminClient['trpc'];

/** Which calls. */
export interface FiguresQuestion {
  days: number;
  campaignId?: number;
}

/** The shortest period of the overview. */
export const SHORTEST_DAYS = 7;
/** In the storage of the browser: ids of users who have done or hidden the first steps, separated by commas. */
export const FIRST_STEPS_OVER = 'parley-first-steps-over';

/** Two queries, because the silence takes longer. */
export function figureQueries(trpc: Queries, { days, campaignId }: FiguresQuestion) {
  const question = { days, ...(campaignId !== undefined && { campaign_id: campaignId }) };
  return {
    calls: trpc.overview.calls.queryOptions(question),
    silence: trpc.overview.silence.queryOptions(question, ALONE),
  };
}

/** The figures that show whether a step is done. */
export function firstStepQueries(trpc: Queries) {
  return {
    calls: trpc.calls.list.queryOptions({ type: 'web', page: 1, per_page: 1 }),
    assistants: trpc.assistants.list.queryOptions(),
    trunks: trpc.sipTrunks.list.queryOptions(),
  };
}

/** Begins to load what the overview shows first. */
export function loadOverview({ queryClient, trpc }: AdminClient, days = SHORTEST_DAYS): void {
  inBackground(queryClient.prefetchQuery(figureQueries(trpc, { days }).calls));
  if (readLocalStorageValue({ key: FIRST_STEPS_OVER, defaultValue: '' }) !== '') return;
  const { calls, assistants, trunks } = firstStepQueries(trpc);
  inBackground(queryClient.prefetchQuery(calls));
  inBackground(queryClient.prefetchQuery(assistants));
  inBackground(queryClient.prefetchQuery(trunks));
}
