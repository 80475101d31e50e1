/**
 * The filters of the calls table, as part of the URL. Invalid values are dropped,
 * so that an old or mistyped URL still shows a list.
 */
import type { CallStatus, CallType } from '@parley/contracts';
import { isCallStatus, isCallType } from './call-status.rules.ts';

/** Search part of `/calls`. Absent means "all". */
export interface CallSearch {
  status?: CallStatus;
  type?: CallType;
  /** Part of the customer's number. */
  number?: string;
  /** Id of the assistant. */
  assistant?: number;
  /** Page 1 is omitted. */
  page?: number;
}

function positiveInteger(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** The router parses values as JSON, so text of digits arrives as a number. */
function phoneDigits(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  return text === '' ? undefined : text;
}

/** Reads the search part of an address. */
export function readCallSearch(raw: Record<string, unknown>): CallSearch {
  const search: CallSearch = {};
  if (isCallStatus(raw['status'])) search.status = raw['status'];
  if (isCallType(raw['type'])) search.type = raw['type'];
  const number = phoneDigits(raw['number']);
  if (number !== undefined) search.number = number;
  const assistant = positiveInteger(raw['assistant']);
  if (assistant !== undefined) search.assistant = assistant;
  const page = positiveInteger(raw['page']);
  if (page !== undefined && page > 1) search.page = page;
  return search;
}

/** Whether anything is filtered. */
export function hasFilters({ status, type, number, assistant }: CallSearch): boolean {
  return status !== undefined || type !== undefined || number !== undefined || assistant !== undefined;
}
