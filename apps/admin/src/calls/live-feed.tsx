/**
 * The live rows of calls: one subscription for the whole app, held by the shell while the tab is
 * visible. Each row that arrives goes into every cached page it belongs to; after a gap (a hidden tab,
 * a lost connection) all queries of calls are repeated, because rows may have been missed.
 */
import type { CallSummary, Envelope } from '@parley/contracts';
import { useDocumentVisibility } from '@mantine/hooks';
import { skipToken, useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import {
  type LiveCalls,
  mergeIntoLive,
  mergeLiveCall,
  needsAsking,
  type PageFilters,
} from './merge-live-call.rules.ts';
import { inBackground } from '../client/in-background.ts';

/** The state of the live connection. */
export type LiveStatus = 'paused' | 'connecting' | 'live' | 'broken';

interface LiveFeed {
  status: LiveStatus;
  /** Calls that began while the app was watching: their rows are marked as new. */
  arrivedIds: ReadonlySet<number>;
}

const LiveFeedContext = createContext<LiveFeed>({ status: 'paused', arrivedIds: new Set() });

/** The state of the live connection, for any component below the shell. */
export function useLiveFeed(): LiveFeed {
  return useContext(LiveFeedContext);
}

const STATUSES = { idle: 'paused', connecting: 'connecting', pending: 'live', error: 'broken' } as const;

/** Updates all cached pages with a received row. */
function useMergeRow(): (row: CallSummary) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (row) => {
    for (const query of queryClient.getQueryCache().findAll(trpc.calls.list.pathFilter())) {
      const key = query.queryKey as ReturnType<typeof trpc.calls.list.queryKey>;
      const filters = (key[1]?.input ?? {}) as PageFilters;
      queryClient.setQueryData<Envelope<CallSummary>>(
        key,
        (page) => page && mergeLiveCall(page, filters, row),
      );
      if (needsAsking(filters)) inBackground(queryClient.invalidateQueries({ queryKey: key, exact: true }));
    }
    for (const { queryKey } of queryClient.getQueryCache().findAll(trpc.calls.live.pathFilter())) {
      const key = queryKey as ReturnType<typeof trpc.calls.live.queryKey>;
      const list = queryClient.getQueryData<LiveCalls>(key);
      const merged = list && mergeIntoLive(list, key[1]?.input ?? {}, row);
      if (merged) queryClient.setQueryData<LiveCalls>(key, merged);
      else inBackground(queryClient.invalidateQueries({ queryKey: key, exact: true }));
    }
    inBackground(queryClient.invalidateQueries(trpc.calls.get.queryFilter({ id: row.id })));
  };
}

/** Holds the subscription and provides its state to the pages. */
export function LiveFeedProvider({ children }: { children: ReactNode }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  const mergeRow = useMergeRow();
  const [arrivedIds, setArrivedIds] = useState<ReadonlySet<number>>(new Set());
  const feed = useSubscription(
    trpc.calls.changes.subscriptionOptions(isVisible ? undefined : skipToken, {
      onStarted: () => inBackground(queryClient.invalidateQueries(trpc.calls.pathFilter())),
      onData: (row) => {
        if (row.status === 'initiated') setArrivedIds((known) => new Set(known).add(row.id));
        mergeRow(row);
      },
    }),
  );
  const status = STATUSES[feed.status];
  const value = useMemo(() => ({ status, arrivedIds }), [status, arrivedIds]);
  return <LiveFeedContext value={value}>{children}</LiveFeedContext>;
}
