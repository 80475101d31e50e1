/** A table of which only the rows around the visible ones are drawn. It scrolls within its own frame. */
import type { ReactNode } from 'react';
import { type Column, Heads } from './data-table.tsx';
import table from './data-table.module.css';
import { type DrawnRows, rowIndex } from './use-row-window.ts';

interface WindowTableProps {
  label: string;
  columns: readonly Column[];
  list: DrawnRows;
  /**
   * @param row - from 0
   * @param className - of the row
   * @returns a table row with a key and the attribute `aria-rowindex` of `rowIndex`
   */
  children: (row: number, className: string | undefined) => ReactNode;
}

/** A row in place of one that has not been loaded. */
export function WaitingRow({ row, columns }: { row: number; columns: number }): ReactNode {
  return (
    <tr aria-rowindex={rowIndex(row)} aria-busy="true" data-testid="waiting-row">
      <td colSpan={columns}>
        <span className={table['waiting']} />
      </td>
    </tr>
  );
}

function Spacer({ height }: { height: number }): ReactNode {
  if (height === 0) return null;
  return <tr aria-hidden="true" className={table['spacer']} style={{ height }} />;
}

/** For screen readers the table has all of its rows. */
export function WindowTable({ label, columns, list, children }: WindowTableProps): ReactNode {
  const { start, end, above, below } = list.window;
  const drawn = Array.from({ length: end - start }, (_, place) => start + place);
  const { kept } = list;
  const isKeptElsewhere = kept !== null && kept < list.total && (kept < start || kept >= end);
  return (
    <div
      ref={list.scroller}
      role="presentation"
      className={`${table['frame']} ${table['window']}`}
      data-table=""
      onScroll={list.onScroll}
      onKeyDown={list.onKeyDown}
      onFocus={list.onFocus}
      onBlur={list.onBlur}
    >
      <table className={table['table']} aria-label={label} aria-rowcount={list.total + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <Heads columns={columns} />
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} />
          {[...drawn, ...(isKeptElsewhere ? [kept] : [])].map((row) =>
            children(row, isKeptElsewhere && row === kept ? table['kept'] : undefined),
          )}
          <Spacer height={below} />
        </tbody>
      </table>
    </div>
  );
}
