/** The leads of a filter as CSV that is safe in a spreadsheet, streamed: there may be millions. */
import type { LeadSummary } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import { csvLine } from '../shared/spreadsheet-cell.rules.ts';
import type { Identity } from '../users/identity.ts';
import { summariseLeads } from './lead-summary.ts';
import { leadVariableNames, streamLeads, type LeadFilters } from './list-leads.ts';

/** With more names, all variables are in one column, as JSON. */
const MAX_VARIABLE_COLUMNS = 200;

const COLUMNS: readonly (readonly [name: string, value: (lead: LeadSummary) => string])[] = [
  ['phone_number', (lead) => lead.phone_number],
  ['campaign', (lead) => lead.campaign.name],
  ['state', (lead) => lead.state],
  ['last_call_at', (lead) => lead.last_call?.at ?? ''],
  ['last_call_outcome', (lead) => lead.last_call?.outcome ?? ''],
  ['created_at', (lead) => lead.created_at],
  ['secondary_contacts', (lead) => lead.secondary_contacts.map((contact) => contact.phone_number).join(' ')],
];

/** Parts of the file, the header first; ends when the consumer stops reading. A variable has the column of its name. */
export async function* exportLeads(
  ctx: CoreContext,
  identity: Identity,
  filters: LeadFilters,
): AsyncGenerator<string> {
  const names = await leadVariableNames(ctx, identity, filters, MAX_VARIABLE_COLUMNS + 1);
  const isOneColumn = names.length > MAX_VARIABLE_COLUMNS;
  const valuesOf = ({ variables }: LeadSummary): string[] =>
    isOneColumn ? [JSON.stringify(variables)] : names.map((name) => cellOf(variables[name]));
  yield csvLine([...COLUMNS.map(([name]) => name), ...(isOneColumn ? ['variables'] : names)]);
  for await (const batch of streamLeads(ctx, identity, filters)) {
    const leads = await summariseLeads(ctx.db, batch);
    yield leads
      .map((lead) => csvLine([...COLUMNS.map(([, value]) => value(lead)), ...valuesOf(lead)]))
      .join('');
  }
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
