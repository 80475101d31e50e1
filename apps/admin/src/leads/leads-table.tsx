/** Leads as a table; each row leads to the page of its lead. */
import type { LeadSummary } from '@parley/contracts';
import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OutcomePill } from '../calls/outcome-pill.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { areSelected, type LeadSelection, withLeads } from './lead-selection.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;

const SELECT: Column = ['', table['select']];
const NUMBER: Column = [columns.number];
const CAMPAIGN: Column = [columns.campaign, table['mediumOnly']];
const OTHERS: readonly Column[] = [[columns.state], [columns.lastCall, table['mediumOnly']]];

function LastCall({ call }: { call: LeadSummary['last_call'] }): ReactNode {
  if (call === null) return '–';
  return (
    <>
      {call.outcome === null ? texts.list.inCall : <OutcomePill outcome={call.outcome} />}
      <div className={table['under']}>{formatInstant(call.at)}</div>
    </>
  );
}

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

interface LeadRowProps {
  lead: LeadSummary;
  hasCampaign: boolean;
  /** The cell that selects it. */
  select: ReactNode;
}

function LeadRow({ lead, hasCampaign, select }: LeadRowProps): ReactNode {
  return (
    <tr data-testid="lead-row" data-state={lead.state}>
      {select}
      <td>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={table['rowLink'] ?? ''}>
          <PhoneNumber number={lead.phone_number} />
        </Link>
        {lead.secondary_contacts.length > 0 && (
          <div className={table['under']}>{texts.list.moreNumbers(lead.secondary_contacts.length)}</div>
        )}
      </td>
      {hasCampaign && <td className={`${table['mediumOnly']} ${table['wrap']}`}>{lead.campaign.name}</td>}
      <td className={table['wrap']}>{texts.states[lead.state]}</td>
      <td className={table['mediumOnly']}>
        <LastCall call={lead.last_call} />
      </td>
    </tr>
  );
}

interface LeadsTableProps {
  leads: readonly LeadSummary[];
  /** False where all leads are of one campaign. */
  hasCampaign: boolean;
  /** Absent: leads cannot be selected. */
  selecting?: LeadsSelecting;
}

/** Each row has a checkbox where leads can be selected. */
export function LeadsTable({ leads, hasCampaign, selecting }: LeadsTableProps): ReactNode {
  const shown = [...(selecting ? [SELECT] : []), NUMBER, ...(hasCampaign ? [CAMPAIGN] : []), ...OTHERS];
  return (
    <DataTable columns={shown}>
      {leads.map((lead) => (
        <LeadRow
          key={lead.id}
          lead={lead}
          hasCampaign={hasCampaign}
          select={selecting && <SelectCell lead={lead} leads={leads} {...selecting} />}
        />
      ))}
    </DataTable>
  );
}
