/** The list of campaigns. */
import type { CampaignRecord } from '@parley/contracts';
import type { AppRouter } from '@parley/api/router';
import { IconTargetArrow } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { inferRouterOutputs } from '@trpc/server';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { CreatedListPage } from '../ui/created-list-page.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { LeadProgress } from './lead-progress.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const CampaignForm = later(() => import('./campaign-form.tsx'), 'CampaignForm');

const COLUMNS: readonly Column[] = [
  [texts.list.columns.name],
  [texts.list.columns.status],
  [texts.list.columns.progress],
  [texts.list.columns.maxCalls, table['mediumOnly']],
  [texts.list.columns.created, table['mediumOnly']],
];

/** How often the list is renewed while a campaign runs, milliseconds. */
const RENEWAL_MS = 5_000;

type LeadCounts = inferRouterOutputs<AppRouter>['campaigns']['progress'][number];

interface CampaignRowProps {
  campaign: CampaignRecord;
  /** Undefined: not known yet. Null: it has no leads. */
  counts: LeadCounts | null | undefined;
}

function CampaignRow({ campaign, counts }: CampaignRowProps): ReactNode {
  return (
    <tr data-testid="campaign-row">
      <td>
        <Link
          to="/campaigns/$campaignId"
          params={{ campaignId: campaign.id }}
          className={table['rowLink'] ?? ''}
        >
          {campaign.name}
        </Link>
      </td>
      <td>{texts.status[campaign.status]}</td>
      <td>
        {counts && <LeadProgress {...counts} />}
        {counts === null && <span className={table['minor']}>{texts.list.noLeads}</span>}
      </td>
      <td className={table['mediumOnly']}>{campaign.max_calls_in_parallel}</td>
      <td className={`${table['minor']} ${table['mediumOnly']}`}>
        <Day at={campaign.created_at} />
      </td>
    </tr>
  );
}

function CampaignsTable({ campaigns }: { campaigns: readonly CampaignRecord[] }): ReactNode {
  const isRunning = campaigns.some(({ status }) => status === 'in-progress');
  const progress = useQuery({
    ...useTRPC().campaigns.progress.queryOptions(),
    placeholderData: keepPreviousData,
    refetchInterval: isRunning && RENEWAL_MS,
  });
  const counts = progress.data && new Map(progress.data.map((row) => [row.id, row]));
  return (
    <DataTable columns={COLUMNS}>
      {campaigns.map((campaign) => (
        <CampaignRow
          key={campaign.id}
          campaign={campaign}
          counts={counts && (counts.get(campaign.id) ?? null)}
        />
      ))}
    </DataTable>
  );
}

/** The page at `/campaigns`. */
export function CampaignsPage(): ReactNode {
  const campaigns = useQuery({
    ...useTRPC().campaigns.list.queryOptions(),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'in-progress') ? RENEWAL_MS : false,
  });
  return (
    <CreatedListPage
      texts={texts.list}
      icon={<IconTargetArrow size={24} stroke={1.5} />}
      testId="new-campaign"
      list={campaigns}
      table={(rows) => <CampaignsTable campaigns={rows} />}
      form={(onDone) => <CampaignForm onClose={onDone} />}
      isWide
    />
  );
}
