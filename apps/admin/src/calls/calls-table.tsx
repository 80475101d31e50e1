/** Calls as a table. A row leads to its call, or chooses it for the preview at the side. */
import type { CallSummary } from '@parley/contracts';
import type { KeyboardEvent, ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, type ColumnSort, DataTable } from '../ui/data-table.tsx';
import { TextLink } from '../ui/link-button.tsx';
import type { ChosenColumn } from './call-columns.rules.ts';
import { useCallLanes } from './call-lanes.tsx';
import { CALL_SORTS, type CallSearch, type CallSort } from './call-search.rules.ts';
import { CallRow, CELLS } from './call-row.tsx';
import classes from './calls-table.module.css';
import { useLiveFeed } from './live-feed.tsx';
import type { LiveCalls } from './merge-live-call.rules.ts';
import { texts } from './texts.ts';

/** The class without the wrapping and the colour of cells. */
const HEADS: Partial<Record<ChosenColumn, string | undefined>> = {
  disposition: table['mediumOnly'],
  assistant: table['wideOnly'],
  campaign: table['wideOnly'],
  started: table['mediumOnly'],
};

/** Which call is chosen, and how that changes; undefined chooses none. */
interface CallChoice {
  chosen: number | undefined;
  onChoose: (id: number | undefined) => void;
}

/** The order of the rows. */
interface CallSorting {
  /** The column by which they are sorted. */
  sort: CallSort;
  direction: NonNullable<ColumnSort['direction']>;
  onSort: (sort: CallSort) => void;
}

interface CallsTableProps {
  calls: readonly CallSummary[];
  columns: readonly ChosenColumn[];
  /** Calls in progress, above the others, and the search that finds them all. */
  live?: (LiveCalls & { search: CallSearch }) | undefined;
  /** Absent: heads do not sort. */
  sorting?: CallSorting;
  /** Absent: rows are links. */
  choice?: CallChoice | undefined;
}

function sortOf(column: ChosenColumn, sorting: CallSorting | undefined): ColumnSort | undefined {
  const sort = CALL_SORTS.find((one) => one === column);
  if (!sorting || !sort) return undefined;
  return {
    direction: sorting.sort === sort ? sorting.direction : null,
    onSort: () => sorting.onSort(sort),
  };
}

/** Moves the choice with the focus: up and down, to the first and to the last row. */
function moveChoice(event: KeyboardEvent<HTMLElement>, onChoose: CallChoice['onChoose']): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-call-id]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const targets: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
  };
  const target = rows[targets[event.key] ?? -1];
  if (at === -1 || !target) return;
  event.preventDefault();
  focusCall(target);
  onChoose(Number(target.dataset['callId']));
}

function focusCall(row: Element | null | undefined): void {
  row?.querySelector('a')?.focus();
}

/** Moves the focus to the link of a call in the table. */
export function focusCallOf(id: number): void {
  focusCall(document.querySelector(`[data-call-id="${id}"]`));
}

function GroupHead({ columns, children }: { columns: number; children: ReactNode }): ReactNode {
  return (
    <tr>
      <th scope="rowgroup" colSpan={columns} className={table['group']}>
        {children}
      </th>
    </tr>
  );
}

function LiveTitle({ live }: { live: NonNullable<CallsTableProps['live']> }): ReactNode {
  return (
    <span className={classes['live']} data-testid="live-calls">
      {texts.list.live(live.total)}
      {live.total > live.rows.length && (
        <TextLink to="/calls" search={live.search} size="xs">
          {texts.list.allLive}
        </TextLink>
      )}
    </span>
  );
}

function Rows({
  calls,
  columns,
  choice,
}: Pick<CallsTableProps, 'calls' | 'columns' | 'choice'>): readonly ReactNode[] {
  const { arrivedIds } = useLiveFeed();
  const lanes = useCallLanes(columns.includes('lanes') ? calls : []);
  const choose = (id: number) => () => {
    choice?.onChoose(id);
    focusCallOf(id);
  };
  return calls.map((call) => (
    <CallRow
      key={call.id}
      call={call}
      lanes={lanes.get(call.id)}
      isNew={arrivedIds.has(call.id)}
      columns={columns}
      choosing={choice && { isChosen: call.id === choice.chosen, onChoose: choose(call.id) }}
    />
  ));
}

/** Rows that arrived live are marked for a moment. */
export function CallsTable({ calls, columns, live, sorting, choice }: CallsTableProps): ReactNode {
  const heads = columns.map((column): Column => [
    texts.table[column],
    HEADS[column] ?? CELLS[column][0],
    sortOf(column, sorting),
  ]);
  const all: Column[] = [[texts.table.outcome], [texts.customer], ...heads];
  const pinned = live && live.rows.length > 0 && (
    <>
      <GroupHead columns={all.length}>
        <LiveTitle live={live} />
      </GroupHead>
      <Rows calls={live.rows} columns={columns} choice={choice} />
    </>
  );
  return (
    <div
      role="presentation"
      className={classes['table']}
      onKeyDown={choice && ((event) => moveChoice(event, choice.onChoose))}
    >
      <DataTable columns={all} pinned={pinned}>
        {pinned && calls.length > 0 && <GroupHead columns={all.length}>{texts.list.others}</GroupHead>}
        <Rows calls={calls} columns={columns} choice={choice} />
      </DataTable>
    </div>
  );
}
