/** A table with the given columns and its rows as children. */
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';
import table from './data-table.module.css';

/** How a column sorts the table. */
export interface ColumnSort {
  /** Null: another column sorts it. */
  direction: 'ascending' | 'descending' | null;
  onSort: () => void;
}

/**
 * A column's name, the class that aligns it or hides it on narrow screens, and how it sorts, if it can. An empty name heads
 * controls.
 */
export type Column = readonly [name: string, className?: string | undefined, sort?: ColumnSort | undefined];

const SORT_ICONS = { ascending: IconArrowUp, descending: IconArrowDown } as const;

function Head({ column: [name, className, sort] }: { column: Column }): ReactNode {
  const Icon = sort?.direction ? SORT_ICONS[sort.direction] : IconArrowsSort;
  return (
    <th scope="col" className={className} aria-sort={sort?.direction ?? undefined}>
      {sort ? (
        <UnstyledButton
          className={table['sort'] ?? ''}
          data-sorted={sort.direction !== null}
          title={texts.sortBy(name)}
          onClick={sort.onSort}
        >
          {name}
          <Icon size={13} stroke={2} aria-hidden />
        </UnstyledButton>
      ) : (
        name
      )}
    </th>
  );
}

/** The heads of a row of heads. */
export function Heads({ columns }: { columns: readonly Column[] }): ReactNode {
  return columns.map((column, place) =>
    column[0] === '' ? (
      // oxlint-disable-next-line react/no-array-index-key -- columns keep their places
      <td key={place} className={column[1]} aria-hidden="true" />
    ) : (
      <Head key={column[0]} column={column} />
    ),
  );
}

interface DataTableProps {
  columns: readonly Column[];
  /** Rows in a body of their own, above the others. */
  pinned?: ReactNode;
  children: ReactNode;
}

/** data-table.module.css has the classes of cells. */
export function DataTable({ columns, pinned, children }: DataTableProps): ReactNode {
  return (
    <div className={table['frame']} data-table="">
      <table className={table['table']}>
        <thead>
          <tr>
            <Heads columns={columns} />
          </tr>
        </thead>
        {pinned && <tbody>{pinned}</tbody>}
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
