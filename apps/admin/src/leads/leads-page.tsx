/** The list of leads: filters and the row on top in the URL, and a form that adds one. */
import { Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { hasFilters, type SearchChanges, withoutUndefined } from '../client/search-values.rules.ts';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { LeadFilterBar } from './lead-filter-bar.tsx';
import { leadName } from './lead-name.rules.ts';
import type { LeadSearch } from './lead-search.rules.ts';
import { LeadsList } from './leads-list.tsx';
import { texts } from './texts.ts';
import { pieceQuery, RENEWAL_MS } from './use-lead-rows.ts';
import { later } from '../ui/later.ts';

const NewLeadForm = later(() => import('./new-lead-form.tsx'), 'NewLeadForm');

const route = getRouteApi('/shell/leads');

const ICON = <IconUsers size={24} stroke={1.5} />;

/** A lead needs a campaign, so an account without campaigns creates one first. */
function NoLeads({ isFiltered, onAdd }: { isFiltered: boolean; onAdd: () => void }): ReactNode {
  const campaigns = useQuery(useTRPC().campaigns.list.queryOptions()).data;
  if (isFiltered) return <EmptyState icon={ICON} {...texts.list.noMatch} />;
  if (campaigns?.length === 0)
    return (
      <EmptyState icon={ICON} title={texts.list.noCampaign.title} text={texts.list.noCampaign.text}>
        <LinkButton to="/campaigns">{texts.list.noCampaign.action}</LinkButton>
      </EmptyState>
    );
  return (
    <EmptyState icon={ICON} {...texts.list.empty}>
      <AddButton label={texts.list.add} testId="new-lead" onClick={onAdd} />
    </EmptyState>
  );
}

/** The page at `/leads`. */
export function LeadsPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const [ownPath] = useState(() => router.latestLocation.pathname);
  const [isOpen, dialog] = useDisclosure(false);
  const leads = useQuery({
    ...trpc.leads.list.queryOptions(pieceQuery(search, 0)),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  const show = (changes: SearchChanges<LeadSearch>): void =>
    inBackground(
      navigate({
        search: (before) => withoutUndefined<LeadSearch>({ ...before, row: undefined, ...changes }),
        replace: true,
        resetScroll: false,
      }),
    );
  /** Scrolling may come to rest while the next page is loading, which this must not call back. */
  const showRow = (row: number): void => {
    if (router.latestLocation.pathname === ownPath) show({ row: row === 1 ? undefined : row });
  };
  const isEmpty = leads.data?.total === 0 && !hasFilters(search);
  return (
    <>
      <PageHeader
        title={texts.list.title}
        subtitle={texts.list.subtitle}
        actions={
          leads.data &&
          !isEmpty && <AddButton label={texts.list.add} testId="new-lead" onClick={dialog.open} />
        }
      />
      {!isEmpty && <LeadFilterBar search={search} onChange={show} />}
      <QueryView query={leads} pending={<Skeleton h={360} radius="lg" />}>
        {({ rows, total }) =>
          total === 0 ? (
            <NoLeads isFiltered={!isEmpty} onAdd={dialog.open} />
          ) : (
            <LeadsList
              // Another filter has another selection.
              key={JSON.stringify({ ...search, row: undefined })}
              search={search}
              total={total}
              hasName={rows.some(({ variables }) => leadName(variables) !== '')}
              onRow={showRow}
            />
          )
        }
      </QueryView>
      <Dialog title={texts.list.add} isOpen={isOpen} onClose={dialog.close}>
        <NewLeadForm campaignId={search.campaign} onDone={dialog.close} />
      </Dialog>
    </>
  );
}
