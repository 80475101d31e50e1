/** Above the table of calls: the choice of its columns, and the export of the filter. */
import { Button, Group, Skeleton } from '@mantine/core';
import { useClickOutside, useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconColumns3, IconDownload } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, Suspense, useId, useRef } from 'react';
import { later } from '../ui/later.ts';
import { type ChosenColumn, readColumns } from './call-columns.rules.ts';
import { type CallSearch, filterQuery } from './call-search.rules.ts';
import classes from './calls-toolbar.module.css';
import { texts } from './texts.ts';

const ColumnList = later(() => import('./column-list.tsx'), 'ColumnList');

/** The size of the list of columns, while it is loaded. */
const LIST_PIXELS = { width: 120, height: 260 };

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

/** The list is below its button. Escape and a click elsewhere close it. */
function ColumnChoice(choice: Omit<CallsToolbarProps, 'search'>): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const frame = useClickOutside<HTMLDivElement>(close);
  const button = useRef<HTMLButtonElement>(null);
  const listId = useId();
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !isOpen) return;
    close();
    button.current?.focus();
  };
  return (
    <div ref={frame} className={classes['choice']} onKeyDown={onKeyDown}>
      <Button
        ref={button}
        size="xs"
        variant="default"
        leftSection={<IconColumns3 size={16} stroke={1.8} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={listId}
        data-testid="call-columns"
        onClick={toggle}
      >
        {texts.table.columns}
      </Button>
      <div
        id={listId}
        className={classes['columns']}
        role="group"
        aria-label={texts.table.columns}
        hidden={!isOpen}
      >
        {isOpen && (
          <Suspense fallback={<Skeleton w={LIST_PIXELS.width} h={LIST_PIXELS.height} />}>
            <ColumnList {...choice} />
          </Suspense>
        )}
      </div>
    </div>
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
