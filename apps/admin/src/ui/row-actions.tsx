/** The buttons of a table row: side by side, or stacked on narrow screens. */
import type { ReactNode } from 'react';
import table from './data-table.module.css';

/** Belongs in the last cell of a row. */
export function RowActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={table['actions']}>{children}</div>;
}
