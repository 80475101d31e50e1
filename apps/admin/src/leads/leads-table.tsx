/** Leads as a table; each row leads to the page of its lead. */
import type { LeadSummary } from '@parley/contracts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OutcomePill } from '../calls/outcome-pill.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

const { columns } = texts.list;

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

function LeadRow({ lead, hasCampaign }: { lead: LeadSummary; hasCampaign: boolean }): ReactNode {
  return (
    <tr data-testid="lead-row" data-state={lead.state}>
      <td>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={table['rowLink'] ?? ''}>
          {lead.phone_number}
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

/** `hasCampaign` is false where all leads are of one campaign. */
export function LeadsTable({
  leads,
  hasCampaign,
}: {
  leads: readonly LeadSummary[];
  hasCampaign: boolean;
}): ReactNode {
  return (
    <DataTable columns={hasCampaign ? [NUMBER, CAMPAIGN, ...OTHERS] : [NUMBER, ...OTHERS]}>
      {leads.map((lead) => (
        <LeadRow key={lead.id} lead={lead} hasCampaign={hasCampaign} />
      ))}
    </DataTable>
  );
}
