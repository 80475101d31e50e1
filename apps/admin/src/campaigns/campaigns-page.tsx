/** The list of campaigns. */
import type { CampaignRecord } from '@parley/contracts';
import type { AppRouter } from '@parley/api/router';
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTargetArrow } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { inferRouterOutputs } from '@trpc/server';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
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

function NoCampaigns({ onNew }: { onNew: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconTargetArrow size={24} stroke={1.5} />}
      title={texts.list.empty.title}
      text={texts.list.empty.text}
    >
      <AddButton label={texts.list.new} testId="new-campaign" onClick={onNew} />
    </EmptyState>
  );
}

/** The page at `/campaigns`. */
export function CampaignsPage(): ReactNode {
  const trpc = useTRPC();
  const campaigns = useQuery({
    ...trpc.campaigns.list.queryOptions(),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'in-progress') ? RENEWAL_MS : false,
  });
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <PageHeader
        title={texts.list.title}
        subtitle={texts.list.subtitle}
        actions={
          campaigns.data &&
          campaigns.data.length > 0 && (
            <AddButton label={texts.list.new} testId="new-campaign" onClick={dialog.open} />
          )
        }
      />
      <QueryView query={campaigns} pending={<Skeleton h={240} radius="lg" />}>
        {(data) =>
          data.length === 0 ? <NoCampaigns onNew={dialog.open} /> : <CampaignsTable campaigns={data} />
        }
      </QueryView>
      <Dialog title={texts.list.new} isOpen={isOpen} onClose={dialog.close}>
        <CampaignForm onClose={dialog.close} />
      </Dialog>
    </>
  );
}
