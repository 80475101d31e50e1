/** The figures of the last days behind the charts: of all calls, or of a campaign. They renew themselves. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';
import { figureQueries, type FiguresQuestion } from './overview-queries.ts';

/** Milliseconds. */
const CALLS_RENEWAL_MS = 30_000;
/** Milliseconds; the turns of many calls are read for it. */
const SILENCE_RENEWAL_MS = 120_000;

/** The queries renew themselves. */
export function useCallFigures(question: FiguresQuestion) {
  const queries = figureQueries(useTRPC(), question);
  const calls = useQuery({
    ...queries.calls,
    placeholderData: keepPreviousData,
    refetchInterval: CALLS_RENEWAL_MS,
  });
  const silence = useQuery({
    ...queries.silence,
    placeholderData: keepPreviousData,
    refetchInterval: SILENCE_RENEWAL_MS,
  });
  return { calls, silence };
}
