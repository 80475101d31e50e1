/** The prices of trunks, providers, models and voices, from which the costs of calls are calculated. For operators. */
import type { ProviderRecord, TrunkRecord } from '@parley/contracts';
import { Skeleton, Stack } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { Section } from '../ui/section.tsx';
import { CurrencyForm } from './currency-form.tsx';
import { PriceForm, type ThingGroup } from './price-form.tsx';
import { PRICED, type PriceRow, rowsOf, withoutPrice } from './price-rows.rules.ts';
import { useChangePrices } from './use-change-prices.ts';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.page.columns.thing],
  [texts.page.columns.unit],
  [texts.page.columns.price, table['number']],
  [''],
];

function RemoveButton({ row }: { row: PriceRow }): ReactNode {
  const change = useChangePrices();
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(row.name, row.unitLabel)}
      question={texts.remove.question(row.name)}
      text={texts.remove.text}
      keep={texts.remove.keep}
      testId="price-remove"
      run={() => change((prices) => withoutPrice(prices, row))}
    />
  );
}

function PricesTable({ rows }: { rows: readonly PriceRow[] }): ReactNode {
  const { format } = useAmounts();
  if (rows.length === 0)
    return (
      <EmptyState
        icon={<IconCoins size={24} stroke={1.5} />}
        title={texts.page.empty.title}
        text={texts.page.empty.text}
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
          <td className={table['number']}>{format(row.price)}</td>
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

/** In the order of the lists in the table. */
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

/** The choices of the form; null until both lists are loaded. */
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
      <PageHeader title={texts.page.title} subtitle={texts.page.subtitle} />
      <QueryView query={prices} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => (
          <Stack gap="lg">
            <Section title={texts.form.title}>{groups && <PriceForm groups={groups} />}</Section>
            <PricesTable rows={rowsOf(data)} />
            <Section title={texts.currency.title}>
              <CurrencyForm current={data.currency} key={data.currency} />
            </Section>
          </Stack>
        )}
      </QueryView>
    </>
  );
}
