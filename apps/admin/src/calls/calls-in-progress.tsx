/** The calls of a campaign that begin, ring or are talked in now. The live rows of the app keep it up to date. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Section } from '../ui/section.tsx';
import type { ChosenColumn } from './call-columns.rules.ts';
import { CallsTable } from './calls-table.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly ChosenColumn[] = ['duration', 'started'];
/** Of each status; the filter of the page Calls has all. */
const SHOWN = 10;

/** Nothing while no call is live. */
export function CallsInProgress({ campaignId }: { campaignId: number }): ReactNode {
  const trpc = useTRPC();
  const page = { campaign_id: campaignId, page: 1, per_page: SHOWN } as const;
  const talking = useQuery(trpc.calls.list.queryOptions({ ...page, status: 'in-progress' })).data?.data ?? [];
  const ringing = useQuery(trpc.calls.list.queryOptions({ ...page, status: 'ringing' })).data?.data ?? [];
  const starting = useQuery(trpc.calls.list.queryOptions({ ...page, status: 'initiated' })).data?.data ?? [];
  // A call that has changed stays in the page it was in until that is asked for again.
  const live = new Map([...talking, ...ringing, ...starting].map((call) => [call.id, call]));
  const calls = [...live.values()].filter(({ outcome }) => outcome === null);
  if (calls.length === 0) return null;
  return (
    <Section title={texts.inProgress}>
      <CallsTable calls={calls} columns={COLUMNS} />
    </Section>
  );
}
