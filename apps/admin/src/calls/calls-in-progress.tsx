/** The calls of a campaign that begin, ring or are talked in now. The live rows of the app keep it up to date. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { TextLink } from '../ui/link-button.tsx';
import { Section } from '../ui/section.tsx';
import type { ChosenColumn } from './call-columns.rules.ts';
import { CallsTable } from './calls-table.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly ChosenColumn[] = ['duration', 'started'];
const SHOWN = 20;

/** Nothing while no call is live. */
export function CallsInProgress({ campaignId }: { campaignId: number }): ReactNode {
  const live = useQuery(useTRPC().calls.live.queryOptions({ campaign_id: campaignId })).data;
  if (!live || live.total === 0) return null;
  return (
    <Section
      title={texts.inProgress}
      aside={
        live.total > SHOWN && (
          <TextLink to="/calls" search={{ campaign: campaignId }} size="sm">
            {texts.list.allLive}
          </TextLink>
        )
      }
    >
      <CallsTable calls={live.rows.slice(0, SHOWN)} columns={COLUMNS} />
    </Section>
  );
}
