/** Above the table of calls: the choice of its columns, and the export of the filter. */
import { Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconColumns3, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CHOSEN_COLUMNS, type ChosenColumn, readColumns, withColumn } from './call-columns.rules.ts';
import { type CallSearch, filterQuery } from './call-search.rules.ts';
import { texts } from './texts.ts';

const STORAGE_KEY = 'parley-call-columns';
/** No list of columns, so that it reads as the default. */
const DEFAULT_CHOICE = 'default';

/** The columns that this browser shows, and how to store another choice; null is the default. */
export function useCallColumns(): [readonly ChosenColumn[], (stored: string | null) => void] {
  const [stored, setStored] = useLocalStorage<string | null>({
    key: STORAGE_KEY,
    defaultValue: null,
    getInitialValueInEffect: false,
    // The hook stores the default too, which must not read as a choice without columns.
    serialize: (value) => value ?? DEFAULT_CHOICE,
    deserialize: (value) => value ?? null,
  });
  return [readColumns(stored), setStored];
}

function exportPath(search: CallSearch): string {
  const filters = Object.entries(filterQuery(search)).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(filters);
  return `/call-files/export?${query.toString()}`;
}

interface CallsToolbarProps {
  search: CallSearch;
  columns: readonly ChosenColumn[];
  onColumns: (stored: string | null) => void;
}

function ColumnChoice({ columns, onColumns }: Omit<CallsToolbarProps, 'search'>): ReactNode {
  return (
    <Popover position="bottom-end" withArrow shadow="md" trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconColumns3 size={16} stroke={1.8} aria-hidden />}
          data-testid="call-columns"
        >
          {texts.table.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
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
      </Popover.Dropdown>
    </Popover>
  );
}

/** At the right, above the table. */
export function CallsToolbar({ search, ...choice }: CallsToolbarProps): ReactNode {
  return (
    <Group justify="flex-end" mb="sm" gap="sm">
      <ColumnChoice {...choice} />
      <Button
        component="a"
        href={exportPath(search)}
        download
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
        data-testid="calls-export"
      >
        {texts.list.export}
      </Button>
    </Group>
  );
}
