/** Leads of a campaign as a table; each row leads to the page of its lead. */
import type { LeadSummary } from '@parley/contracts';
import type { ReactNode } from 'react';
import { DataTable } from '../ui/data-table.tsx';
import { leadColumns } from './lead-columns.ts';
import { leadName } from './lead-name.rules.ts';
import { LeadRow } from './lead-row.tsx';

/** A page of them. */
export function LeadsTable({ leads }: { leads: readonly LeadSummary[] }): ReactNode {
  const shown = { hasName: leads.some(({ variables }) => leadName(variables) !== ''), hasCampaign: false };
  return (
    <DataTable columns={leadColumns(shown)}>
      {leads.map((lead) => (
        <LeadRow key={lead.id} lead={lead} {...shown} />
      ))}
    </DataTable>
  );
}
