/** The usage and costs of a call. */
import type { CallDetail } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { costRow, totalText } from './call-cost.rules.ts';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.costs.columns.item],
  [texts.costs.columns.used],
  [texts.costs.columns.amount, table['number']],
];

/** Renders nothing without usage. */
export function CallCosts({ call }: { call: CallDetail }): ReactNode {
  const { format } = useAmounts();
  if (call.costs.length === 0) return null;
  return (
    <Section title={texts.costs.title}>
      <DataTable columns={COLUMNS}>
        {call.costs
          .map((cost) => costRow(cost, format))
          .map(({ stage, name, quantity, amount }) => (
            <tr key={`${stage} ${name} ${quantity}`}>
              <td className={table['wrap']}>
                {stage}
                <div className={table['under']}>{name}</div>
              </td>
              <td className={table['wrap']}>{quantity}</td>
              <td className={table['number']}>{amount}</td>
            </tr>
          ))}
        <tr>
          <th scope="row">{texts.costs.total}</th>
          <td />
          <td className={table['number']}>
            <b>{totalText(call, format)}</b>
          </td>
        </tr>
      </DataTable>
    </Section>
  );
}
