/** The leads of a filter: a table that draws only its visible rows, however many there are, and what is selected in it. */
import { Text } from '@mantine/core';
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import table from '../ui/data-table.module.css';
import type { Column } from '../ui/data-table.tsx';
import { useRowWindow } from '../ui/use-row-window.ts';
import { WaitingRow, WindowTable } from '../ui/window-table.tsx';
import { leadColumns } from './lead-columns.ts';
import { EditableLeadRow } from './lead-row.tsx';
import type { LeadSearch } from './lead-search.rules.ts';
import { isSelected, type LeadSelection, withLeads } from './lead-selection.rules.ts';
import { LeadsToolbar } from './leads-toolbar.tsx';
import { texts } from './texts.ts';
import { useLeadRows } from './use-lead-rows.ts';

const SELECT: Column = ['', table['select']];
const EDIT: Column = ['', `${table['controls']} ${table['mediumOnly']}`];

type LeadAt = ReturnType<typeof useLeadRows>;

/** The selection, and what a checkbox does. With the shift key it selects all loaded rows from the one before. */
function useSelection(leadAt: LeadAt) {
  const [selection, setSelection] = useState<LeadSelection>(new Set());
  const before = useRef<number | null>(null);
  const latest = useRef(leadAt);
  useLayoutEffect(() => {
    latest.current = leadAt;
  });
  const select = useCallback((row: number, isAdded: boolean, isRange: boolean): void => {
    const from = isRange && before.current !== null ? before.current : row;
    const [first, last] = from < row ? [from, row] : [row, from];
    const rows = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    const ids = rows.flatMap((one) => latest.current(one)?.id ?? []);
    before.current = row;
    setSelection((chosen) => withLeads(chosen, ids, isAdded));
  }, []);
  return { selection, setSelection, select };
}

interface LeadsListProps {
  search: LeadSearch;
  total: number;
  /** Whether the leads have names. */
  hasName: boolean;
  /** Receives the number of the row on top, from 1, when scrolling rests. */
  onRow: (row: number) => void;
}

/** Every row is a link. Arrow keys, Page Up and Down, Home and End move between rows. */
export function LeadsList({ search, total, hasName, onRow }: LeadsListProps): ReactNode {
  const list = useRowWindow({
    rows: total,
    first: (search.row ?? 1) - 1,
    onRest: (first) => onRow(first + 1),
  });
  const leadAt = useLeadRows(search, list.window);
  const { selection, setSelection, select } = useSelection(leadAt);
  const hasCampaign = search.campaign === undefined;
  const columns = [SELECT, ...leadColumns({ hasName, hasCampaign }), EDIT];
  return (
    <>
      <LeadsToolbar selection={selection} search={search} total={total} onSelect={setSelection} />
      <WindowTable label={texts.list.title} columns={columns} list={list}>
        {(row, className) => {
          const lead = leadAt(row);
          if (!lead) return <WaitingRow key={`waiting ${row}`} row={row} columns={columns.length} />;
          return (
            <EditableLeadRow
              key={lead.id}
              row={row}
              className={className}
              lead={lead}
              hasName={hasName}
              hasCampaign={hasCampaign}
              isSelected={isSelected(selection, lead.id)}
              isFixed={selection === 'all'}
              onSelect={select}
            />
          );
        }}
      </WindowTable>
      <Text size="sm" c="dimmed" mt="md" data-testid="lead-total">
        {texts.list.total(total)}
      </Text>
    </>
  );
}
