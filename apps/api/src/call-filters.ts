/** The calls list's query in core's own names; REST and the admin app share it. */
import type { CallsQuery } from '@parley/contracts';
import type { CallFilters } from '@parley/core';

/** The download of the calls of a filter. */
export const CALLS_FILE = { type: 'text/csv; charset=utf-8', fileName: 'calls.csv' };

/** @param query - parsed by the contract, with page and page size */
export function callFiltersFrom(query: Omit<CallsQuery, 'cursor'>): CallFilters {
  return {
    page: query.page,
    perPage: query.per_page,
    status: query.status,
    type: query.type,
    outcome: query.outcome,
    disposition: query.disposition,
    phoneNumber: query.phone_number,
    assistantId: query.assistant_id,
    campaignId: query.campaign_id,
    dateFrom: query.date_from,
    dateTo: query.date_to,
  };
}
