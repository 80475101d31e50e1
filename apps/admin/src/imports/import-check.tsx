/** The result of the check before an import: how many rows become leads, and which are refused and why. */
import type { ImportCheck } from '@parley/contracts';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Facts, type Fact } from '../ui/facts.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [
  [texts.importCheck.columns.row],
  [texts.importCheck.columns.reason],
  [texts.importCheck.columns.value],
];

function factsOf({ rows, leads, on_do_not_call_list, refusals, is_complete }: ImportCheck): Fact[] {
  return [
    [is_complete ? texts.importCheck.rows : texts.importCheck.partOfRows(rows), rows.toLocaleString('en')],
    [texts.importCheck.leads, leads.toLocaleString('en')],
    ...(on_do_not_call_list > 0
      ? [[texts.importCheck.forbidden, on_do_not_call_list.toLocaleString('en')] as const]
      : []),
    ...refusals.map((refusal): Fact => [
      texts.importCheck.codes[refusal.code],
      refusal.rows.toLocaleString('en'),
    ]),
  ];
}

function Examples({ examples }: { examples: ImportCheck['examples'] }): ReactNode {
  if (examples.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {texts.importCheck.examples(examples.length)}
      </Text>
      <DataTable columns={COLUMNS}>
        {examples.map(({ row, message, value }) => (
          <tr key={row} data-testid="import-check-row">
            <td>{row}</td>
            <td className={table['wrap']}>{message}</td>
            <td className={`${table['wrap']} ${table['anywhere']}`}>
              <PhoneNumber number={value} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Stack>
  );
}

/** The figures, and the first rows that are not imported. */
export function ImportCheckResult({ check }: { check: ImportCheck }): ReactNode {
  return (
    <Stack gap="md" data-testid="import-check-result">
      <Facts layout="columns" facts={factsOf(check)} />
      <Examples examples={check.examples} />
    </Stack>
  );
}
