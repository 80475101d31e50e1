/** The log of webhooks, with filters in the URL, test events, webhook endpoints, and the secret that signs webhooks. */
import type { DeliveryRecord } from '@parley/contracts';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { hasFilters, type SearchChanges, withoutUndefined } from '../client/search-values.rules.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pages } from '../ui/pages.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { DeliveryFilterBar } from './delivery-filter-bar.tsx';
import { deliveryQuery, type DeliverySearch } from './delivery-search.rules.ts';
import { EndpointsSection } from './endpoints-section.tsx';
import { ResendMany } from './resend-many.tsx';
import { SecretSection } from './secret-section.tsx';
import { TestEvent } from './test-event.tsx';
import { texts } from './texts.ts';

const route = getRouteApi('/shell/webhooks');

const PER_PAGE = 25;
/** How often the list is renewed while it is open, milliseconds. */
const RENEWAL_MS = 5_000;

const ICON = <IconWebhook size={24} stroke={1.5} />;

function NoDeliveries({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState icon={ICON} {...texts.list.noMatch} />;
  return (
    <EmptyState icon={ICON} title={texts.list.empty.title} text={texts.list.empty.text}>
      <LinkButton to="/assistants">{texts.list.empty.action}</LinkButton>
    </EmptyState>
  );
}

interface DeliveryListProps {
  rows: readonly DeliveryRecord[];
  total: number;
  page: number;
  onPage: (page: number, isCorrection?: boolean) => void;
}

function DeliveryList({ rows, total, page, onPage }: DeliveryListProps): ReactNode {
  return (
    <>
      <DeliveriesTable deliveries={rows} />
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed">
          {texts.list.total(total)}
        </Text>
        <Pages
          total={Math.ceil(total / PER_PAGE)}
          current={page}
          isEmpty={rows.length === 0}
          onPage={onPage}
        />
      </Group>
    </>
  );
}

/** The page at `/webhooks`. All sections load at once; each appears when those above it have their height, so that none moves. */
export function WebhooksPage(): ReactNode {
  const trpc = useTRPC();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const deliveries = useQuery({
    ...trpc.webhooks.list.queryOptions({ ...deliveryQuery(search), per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEWAL_MS,
  });
  const endpoints = useQuery(trpc.webhookEndpoints.list.queryOptions());
  useQuery(trpc.webhooks.secret.queryOptions());
  const show = (changes: SearchChanges<DeliverySearch>, isPage: boolean): void =>
    inBackground(
      navigate({
        search: (before) => withoutUndefined<DeliverySearch>({ ...before, page: undefined, ...changes }),
        replace: !isPage,
      }),
    );
  const hasList = !deliveries.isPending;
  const isEmpty = deliveries.data?.total === 0 && !hasFilters(search);
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={texts.page.subtitle}
        actions={
          <>
            {hasList && !isEmpty && <ResendMany search={search} />}
            <TestEvent />
          </>
        }
      />
      <Stack gap="lg">
        <div>
          {hasList && !isEmpty && (
            <DeliveryFilterBar search={search} onChange={(changes) => show(changes, false)} />
          )}
          <QueryView query={deliveries} pending={<Skeleton h={360} radius="lg" />}>
            {({ rows, total }) =>
              total === 0 ? (
                <NoDeliveries isFiltered={!isEmpty} />
              ) : (
                <DeliveryList
                  rows={rows}
                  total={total}
                  page={search.page ?? 1}
                  onPage={(page, isCorrection = false) => show({ page }, !isCorrection)}
                />
              )
            }
          </QueryView>
        </div>
        {hasList && <EndpointsSection />}
        {hasList && !endpoints.isPending && <SecretSection />}
      </Stack>
    </>
  );
}
