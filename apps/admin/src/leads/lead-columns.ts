/** The columns of the tables of leads. */
import type { Column } from '../ui/data-table.tsx';
import table from '../ui/data-table.module.css';
import { texts } from './texts.ts';

const { columns } = texts.list;

/** @param shown - a list of leads without names has no such column, nor a list of one campaign that of campaigns */
export function leadColumns({ hasName, hasCampaign }: { hasName: boolean; hasCampaign: boolean }): Column[] {
  return [
    [columns.number],
    ...(hasName ? [[columns.name, table['mediumOnly']] as const] : []),
    ...(hasCampaign ? [[columns.campaign, table['mediumOnly']] as const] : []),
    [columns.state],
    [columns.lastCall, table['mediumOnly']],
  ];
}
