/** The head of a table, from the names of its columns. */
import type { ReactNode } from 'react';

/** A column's name, and the class that aligns it or hides it on narrow screens. An empty name heads controls. */
export type Column = readonly [name: string, className?: string | undefined];

/** One row of column heads. */
export function TableHead({ columns }: { columns: readonly Column[] }): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map(([name, className]) =>
          name === '' ? (
            <td key={name} className={className} aria-hidden="true" />
          ) : (
            <th key={name} scope="col" className={className}>
              {name}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
