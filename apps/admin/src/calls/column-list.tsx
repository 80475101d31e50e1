/** The columns that the table of calls can show. */
import { Button, Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CHOSEN_COLUMNS, type ChosenColumn, withColumn } from './call-columns.rules.ts';
import { texts } from './texts.ts';

interface ColumnListProps {
  columns: readonly ChosenColumn[];
  onColumns: (stored: string | null) => void;
}

/** A box for each of them, and a button for the default. */
export function ColumnList({ columns, onColumns }: ColumnListProps): ReactNode {
  return (
    <Stack gap="xs">
      {CHOSEN_COLUMNS.map((column) => (
        <Checkbox
          key={column}
          size="xs"
          label={texts.table[column]}
          checked={columns.includes(column)}
          data-testid={`call-column-${column}`}
          onChange={({ currentTarget }) => onColumns(withColumn(columns, column, currentTarget.checked))}
        />
      ))}
      <Button size="xs" variant="subtle" onClick={() => onColumns(null)}>
        {texts.table.resetColumns}
      </Button>
    </Stack>
  );
}
