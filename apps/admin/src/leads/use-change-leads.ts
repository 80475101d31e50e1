/** Changes the selected leads, request by request, with progress and a way to stop in between. */
import type { ChangedLeads, LeadsAction } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { leadQuery, type LeadSearch } from './lead-search.rules.ts';
import { type LeadSelection, piecesOf } from './lead-selection.rules.ts';

/** What is changed, and how. */
interface LeadsChange {
  selection: LeadSelection;
  search: LeadSearch;
  action: LeadsAction;
}

/** What has been done so far. */
export type Progress = Pick<ChangedLeads, 'changed' | 'refused' | 'reason'>;

const NONE: Progress = { changed: 0, refused: 0, reason: null };

/** A request that fails ends the change; what was done before stays done and is counted. */
export function useChangeLeads() {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const [progress, setProgress] = useState(NONE);
  const isStopped = useRef(false);
  const count = ({ changed, refused, reason }: ChangedLeads): void =>
    setProgress((before) => ({
      changed: before.changed + changed,
      refused: before.refused + refused,
      reason: before.reason ?? reason,
    }));
  const change = useMutation({
    mutationFn: async ({ selection, search, action }: LeadsChange): Promise<void> => {
      isStopped.current = false;
      setProgress(NONE);
      if (selection !== 'all') {
        for (const ids of piecesOf(selection)) {
          if (isStopped.current) return;
          count(await client.leads.changeMany.mutate({ selection: { ids }, action }));
        }
        return;
      }
      const filters = leadQuery(search);
      for (let below: number | null = null; !isStopped.current;) {
        const done: ChangedLeads = await client.leads.changeMany.mutate({
          selection: { filters, below },
          action,
        });
        count(done);
        if (done.next === null) return;
        below = done.next;
      }
    },
    onSettled: () => refresh('leads', 'campaigns'),
  });
  const stop = (): void => {
    isStopped.current = true;
  };
  return { ...change, progress, stop };
}
