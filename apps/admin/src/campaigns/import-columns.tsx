/** What becomes of each column of a file: one row a column, to be picked before the file is sent. */
import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { type ColumnUse, type PickedColumn, pickColumn } from './import-columns.rules.ts';
import classes from './import-columns.module.css';
import { texts } from './texts.ts';

const COLUMNS: readonly Column[] = [[texts.importColumns.column], [texts.importColumns.becomes]];

const USES: readonly { value: ColumnUse; label: string }[] = [
  { value: 'phone', label: texts.importColumns.phone },
  { value: 'variable', label: texts.importColumns.variable },
  { value: 'left-out', label: texts.importColumns.leftOut },
];

interface PickRowProps {
  picked: PickedColumn;
  onPick: (picked: PickedColumn) => void;
}

function PickRow({ picked, onPick }: PickRowProps): ReactNode {
  const { column, use, variable } = picked;
  return (
    <tr>
      <td className={table['wrap']}>{column}</td>
      <td>
        <div className={classes['use']}>
          <NativeSelect
            aria-label={texts.importColumns.use(column)}
            data={USES}
            value={use}
            onChange={(event) => onPick({ ...picked, use: event.currentTarget.value as ColumnUse })}
          />
          {use === 'variable' && (
            <TextInput
              aria-label={texts.importColumns.variableOf(column)}
              placeholder={column}
              maxLength={255}
              value={variable}
              onChange={(event) => onPick({ ...picked, variable: event.currentTarget.value })}
            />
          )}
        </div>
      </td>
    </tr>
  );
}

interface ImportColumnsProps {
  picked: readonly PickedColumn[];
  onPick: (picked: PickedColumn[]) => void;
}

/** Nothing while no file is chosen. */
export function ImportColumns({ picked, onPick }: ImportColumnsProps): ReactNode {
  if (picked.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {texts.importColumns.title}
      </Text>
      <DataTable columns={COLUMNS}>
        {picked.map((one) => (
          <PickRow key={one.column} picked={one} onPick={(change) => onPick(pickColumn(picked, change))} />
        ))}
      </DataTable>
    </Stack>
  );
}
