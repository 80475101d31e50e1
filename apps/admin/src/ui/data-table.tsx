/** A table with the given columns and its rows as children. */
import type { ReactNode } from 'react';
import table from './data-table.module.css';

/** A column's name, and the class that aligns it or hides it on narrow screens. An empty name heads controls. */
export type Column = readonly [name: string, className?: string | undefined];

/** data-table.module.css has the classes of cells. */
export function DataTable({
  columns,
  children,
}: {
  columns: readonly Column[];
  children: ReactNode;
}): ReactNode {
  return (
    <div className={table['frame']} data-table="">
      <table className={table['table']}>
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
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
