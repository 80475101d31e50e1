/** What lines, providers, models and voices cost, so that the costs of calls are known. For operators. */
import type { ProviderRecord, TrunkRecord } from '@parley/contracts';
import { Skeleton, Stack, Text } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Section } from '../ui/section.tsx';
import { PriceForm, type ThingGroup } from './price-form.tsx';
import { PRICED, type PriceRow, rowsOf, withoutPrice } from './price-rows.rules.ts';
import { useChangePrices } from './use-change-prices.ts';

const COLUMNS: readonly Column[] = [['What'], ['Price of'], ['Price', table['number']], ['']];

function RemoveButton({ row }: { row: PriceRow }): ReactNode {
  const change = useChangePrices();
  const remove = useMutation({ mutationFn: () => change((prices) => withoutPrice(prices, row)) });
  return (
    <AskFirst
      action="Remove"
      label={`Remove the price of ${row.unitLabel} of ${row.name}`}
      look={{ size: 'xs', variant: 'default' }}
      question={`Remove this price of ${row.name}?`}
      keep="Keep the price"
      testId="price-remove"
      run={() => remove.mutateAsync()}
    >
      <Text size="sm">
        Calls that have ended keep what they cost. What it would have priced is unknown in later ones.
      </Text>
    </AskFirst>
  );
}

function PricesTable({ rows }: { rows: readonly PriceRow[] }): ReactNode {
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<IconCoins size={24} stroke={1.5} />}
        title="No prices yet"
        text="Calls list what they used, but nobody knows what it cost. Copy the prices from the bills of your carrier and your providers, all in one currency."
      />
    );
  return (
    <DataTable columns={COLUMNS}>
      {rows.map((row) => (
        <tr key={`${row.list}:${row.id}:${row.unit}`} data-testid="price-row">
          <td className={table['wrap']}>
            {row.name}
            <div className={table['under']}>{PRICED[row.list].label}</div>
          </td>
          <td className={table['wrap']}>{row.unitLabel}</td>
          <td className={table['number']}>{row.price}</td>
          <td className={table['number']}>
            <RowActions>
              <RemoveButton row={row} />
            </RowActions>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** In the order of the table's lists. */
function groupsOf(trunks: readonly TrunkRecord[], providers: readonly ProviderRecord[]): ThingGroup[] {
  const things = {
    sip_trunks: trunks,
    providers,
    models: providers.flatMap(({ models }) => models),
    voices: providers.flatMap(({ voices }) => voices),
  };
  return (Object.keys(PRICED) as (keyof typeof things)[]).map((list) => ({
    list,
    label: PRICED[list].label,
    things: things[list],
  }));
}

/** What can have a price, for the form; nothing until both lists are there. */
function useGroups(): ThingGroup[] | null {
  const trpc = useTRPC();
  const trunks = useQuery(trpc.sipTrunks.list.queryOptions()).data;
  const providers = useQuery(trpc.providers.list.queryOptions()).data;
  return trunks && providers ? groupsOf(trunks, providers) : null;
}

/** The page at `/prices`. */
export function PricesPage(): ReactNode {
  const trpc = useTRPC();
  const prices = useQuery(trpc.prices.get.queryOptions());
  const groups = useGroups();
  return (
    <>
      <PageHeader
        title="Prices"
        subtitle="What a call is charged with, in whatever currency you mean. A model’s or voice’s own price goes before its provider’s."
      />
      <QueryView query={prices} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => (
          <Stack gap="lg">
            <Section title="Set a price">{groups && <PriceForm groups={groups} />}</Section>
            <PricesTable rows={rowsOf(data)} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}
