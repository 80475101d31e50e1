/**
 * Changes many leads in the same way. Each lead is changed by the use case for single leads, in a transaction of its own, so
 * that a request may stop anywhere and be continued. A request changes a limited number; the caller repeats it.
 */
import type { ChangedLeads, LeadsAction } from '@parley/contracts';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { deleteLead } from './delete-lead.ts';
import { type LeadFilters, selectLeadIds } from './list-leads.ts';
import { updateLead } from './update-lead.ts';

/** Single leads, or the next ones of a filter from the newest to the oldest. */
export type LeadSelection =
  | { ids: readonly number[] }
  | { filters: LeadFilters; /** Only leads with lower ids. */ below: number | null; limit: number };

/** Leads that are missing, and changes that single leads refuse, are counted and do not stop the rest. */
export async function changeLeads(
  ctx: CoreContext,
  identity: Identity,
  { selection, action }: { selection: LeadSelection; action: LeadsAction },
): Promise<ChangedLeads> {
  const ids = 'ids' in selection ? selection.ids : await selectLeadIds(ctx, identity, selection);
  const result: ChangedLeads = { changed: 0, refused: 0, reason: null, next: null };
  for (const id of ids) {
    try {
      await changeOne(ctx, identity, id, action);
      result.changed += 1;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      result.refused += 1;
      result.reason ??= Object.values(error.fields).flat()[0] ?? error.message;
    }
  }
  const isMore = 'filters' in selection && ids.length === selection.limit;
  return { ...result, next: isMore ? (ids.at(-1) ?? null) : null };
}

async function changeOne(
  ctx: CoreContext,
  identity: Identity,
  id: number,
  action: LeadsAction,
): Promise<void> {
  switch (action.type) {
    case 'delete':
      return deleteLead(ctx, identity, id);
    case 'restart':
      return updateLead(ctx, identity, { id, changes: { status: 'created' } });
    case 'end':
      return updateLead(ctx, identity, { id, changes: { status: 'completed' } });
    case 'move':
      return updateLead(ctx, identity, { id, changes: { campaign_id: action.campaign_id } });
  }
}
