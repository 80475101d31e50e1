/** The figures of the last days behind the charts: of all calls, or of a campaign. They renew themselves. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';

/** Milliseconds. */
const CALLS_RENEWAL_MS = 30_000;
/** Milliseconds; the turns of many calls are read for it. */
const SILENCE_RENEWAL_MS = 120_000;

/** Which calls. */
export interface FiguresQuestion {
  days: number;
  campaignId?: number;
}

/** Two queries, because the silence takes longer. */
export function useCallFigures({ days, campaignId }: FiguresQuestion) {
  const trpc = useTRPC();
  const question = { days, ...(campaignId !== undefined && { campaign_id: campaignId }) };
  const calls = useQuery({
    ...trpc.overview.calls.queryOptions(question),
    placeholderData: keepPreviousData,
    refetchInterval: CALLS_RENEWAL_MS,
  });
  const silence = useQuery({
    ...trpc.overview.silence.queryOptions(question),
    placeholderData: keepPreviousData,
    refetchInterval: SILENCE_RENEWAL_MS,
  });
  return { calls, silence };
}
