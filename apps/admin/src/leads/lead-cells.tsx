/** Cells of a lead that look the same in a row that is shown and in one that is edited. */
import type { LeadSummary } from '@parley/contracts';
import type { ReactNode } from 'react';
import { OutcomePill } from '../calls/outcome-pill.tsx';
import table from '../ui/data-table.module.css';
import { Instant } from '../ui/instant.tsx';
import { texts } from './texts.ts';

function LastCall({ call }: { call: LeadSummary['last_call'] }): ReactNode {
  if (call === null) return '–';
  return (
    <>
      {call.outcome === null ? texts.list.inCall : <OutcomePill outcome={call.outcome} />}
      <div className={table['under']}>
        <Instant at={call.at} />
      </div>
    </>
  );
}

/** A lead, and the columns that the table has. */
export interface CellsProps {
  lead: LeadSummary;
  hasName: boolean;
  hasCampaign: boolean;
}

/** The name of its campaign. */
export function CampaignCell({ lead }: Pick<CellsProps, 'lead'>): ReactNode {
  return (
    <td className={`${table['mediumOnly']} ${table['wrap']}`} title={lead.campaign.name}>
      {lead.campaign.name}
    </td>
  );
}

/** Outcome and time of its newest call. */
export function LastCallCell({ lead }: Pick<CellsProps, 'lead'>): ReactNode {
  return (
    <td className={table['mediumOnly']}>
      <LastCall call={lead.last_call} />
    </td>
  );
}
