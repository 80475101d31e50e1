/** Leads as a table; each row leads to the page of its lead, and can be edited in place. */
import type { LeadSummary } from '@parley/contracts';
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { leadName } from './lead-name.rules.ts';
import { LeadRow } from './lead-row.tsx';
import { areSelected, type LeadSelection, withLeads } from './lead-selection.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;

const SELECT: Column = ['', table['select']];
const NUMBER: Column = [columns.number];
const NAME: Column = [columns.name, table['mediumOnly']];
const CAMPAIGN: Column = [columns.campaign, table['mediumOnly']];
const OTHERS: readonly Column[] = [[columns.state], [columns.lastCall, table['mediumOnly']]];
/** At the end of a row that can be edited. */
const EDIT: Column = ['', table['mediumOnly']];

/** Which leads are selected, and how that changes. */
interface LeadsSelecting {
  selection: LeadSelection;
  onSelect: (selection: LeadSelection) => void;
}

interface SelectCellProps extends LeadsSelecting {
  lead: LeadSummary;
  /** Of the page. */
  leads: readonly LeadSummary[];
}

function SelectCell({ lead, leads, selection, onSelect }: SelectCellProps): ReactNode {
  const select = (isSelected: boolean): void => {
    // Without one lead, "all" becomes the others of this page.
    const before = selection === 'all' ? new Set(leads.map(({ id }) => id)) : selection;
    onSelect(withLeads(before, [lead.id], isSelected));
  };
  return (
    <td className={table['select']}>
      <Checkbox
        className={table['aboveLink'] ?? ''}
        aria-label={texts.bulk.select(lead.phone_number)}
        checked={areSelected(selection, [lead.id])}
        data-testid="lead-select"
        onChange={(event) => select(event.currentTarget.checked)}
      />
    </td>
  );
}

interface LeadsTableProps {
  leads: readonly LeadSummary[];
  /** False where all leads are of one campaign. */
  hasCampaign: boolean;
  /** Absent: leads cannot be selected. */
  selecting?: LeadsSelecting;
}

/** Each row has a checkbox and can be edited where leads can be selected. */
export function LeadsTable({ leads, hasCampaign, selecting }: LeadsTableProps): ReactNode {
  const hasName = leads.some(({ variables }) => leadName(variables) !== '');
  const shown = [
    ...(selecting ? [SELECT] : []),
    NUMBER,
    ...(hasName ? [NAME] : []),
    ...(hasCampaign ? [CAMPAIGN] : []),
    ...OTHERS,
    ...(selecting ? [EDIT] : []),
  ];
  return (
    <DataTable columns={shown}>
      {leads.map((lead) => (
        <LeadRow
          key={lead.id}
          lead={lead}
          hasName={hasName}
          hasCampaign={hasCampaign}
          isEditable={selecting !== undefined}
          select={selecting && <SelectCell lead={lead} leads={leads} {...selecting} />}
        />
      ))}
    </DataTable>
  );
}
