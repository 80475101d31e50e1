/** The list of leads: filters in the URL, pages, and a form that adds one. */
import type { LeadSummary } from '@parley/contracts';
import { Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { withoutUndefined } from '../client/search-values.rules.ts';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { LeadFilterBar } from './lead-filter-bar.tsx';
import { hasFilters, leadQuery, type LeadSearch, type LeadSearchChanges } from './lead-search.rules.ts';
import type { LeadSelection } from './lead-selection.rules.ts';
import { LeadsTable } from './leads-table.tsx';
import { LeadsToolbar } from './leads-toolbar.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const NewLeadForm = later(() => import('./new-lead-form.tsx'), 'NewLeadForm');

const route = getRouteApi('/shell/leads');

const PER_PAGE = 50;
/** How often the list is renewed while it is open, milliseconds. */
const RENEWAL_MS = 5_000;

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

interface LeadListProps {
  rows: readonly LeadSummary[];
  total: number;
  search: LeadSearch;
  onPage: (page: number) => void;
}

function LeadList({ rows, total, search, onPage }: LeadListProps): ReactNode {
  const [selection, setSelection] = useState<LeadSelection>(new Set());
  return (
    <>
      <LeadsToolbar
        ids={rows.map(({ id }) => id)}
        selection={selection}
        search={search}
        total={total}
        onSelect={setSelection}
      />
      <LeadsTable
        leads={rows}
        hasCampaign={search.campaign === undefined}
        selecting={{ selection, onSelect: setSelection }}
      />
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed" data-testid="lead-total">
          {texts.list.total(total)}
        </Text>
        <Pages total={Math.ceil(total / PER_PAGE)} current={search.page ?? 1} onPage={onPage} />
      </Group>
    </>
  );
}

/** The page at `/leads`. */
export function LeadsPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const leads = useQuery({
    ...trpc.leads.list.queryOptions({ ...leadQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  const show = (changes: LeadSearchChanges, isPage: boolean): void =>
    inBackground(
      navigate({
        search: (before) => withoutUndefined<LeadSearch>({ ...before, page: undefined, ...changes }),
        replace: !isPage,
      }),
    );
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
      {!isEmpty && <LeadFilterBar search={search} onChange={(changes) => show(changes, false)} />}
      <QueryView query={leads} pending={<Skeleton h={360} radius="lg" />}>
        {({ rows, total }) =>
          total === 0 ? (
            <NoLeads isFiltered={!isEmpty} onAdd={dialog.open} />
          ) : (
            <LeadList
              // Another filter has another selection.
              key={JSON.stringify({ ...search, page: undefined })}
              rows={rows}
              total={total}
              search={search}
              onPage={(page) => show({ page }, true)}
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
