/** The usage and costs of a call. */
import type { CallDetail } from '@parley/contracts';
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../ui/section.tsx';
import { costRow, totalText } from './call-cost.rules.ts';
import { texts } from './texts.ts';

/** Renders nothing without usage. */
export function CallCosts({ call }: { call: CallDetail }): ReactNode {
  if (call.costs.length === 0) return null;
  return (
    <Section title={texts.costs.title}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.costs.columns.item}</Table.Th>
            <Table.Th>{texts.costs.columns.used}</Table.Th>
            <Table.Th ta="right">{texts.costs.columns.amount}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {call.costs.map(costRow).map(({ stage, name, quantity, amount }) => (
            <Table.Tr key={`${stage} ${name} ${quantity}`}>
              <Table.Td>
                {stage}: {name}
              </Table.Td>
              <Table.Td>{quantity}</Table.Td>
              <Table.Td ta="right">{amount}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th colSpan={2}>{texts.costs.total}</Table.Th>
            <Table.Th ta="right">{totalText(call)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Section>
  );
}
