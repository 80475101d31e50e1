/** The drafts of the lead forms and their conversion to the input of the API. The server validates them. */
import type { LeadStatus } from '@parley/contracts';

/** A variable in a form. A value that is not a string is shown as JSON. */
export interface VariableRow {
  name: string;
  value: string;
}

/** The values of the form for a new lead. */
export interface NewLeadDraft {
  phone_number: string;
  campaign_id: string;
  /** One number per line. */
  contacts: string;
  allow_duplicate: boolean;
  variables: VariableRow[];
}

/** The values of the form that changes a lead. */
export interface LeadDraft {
  phone_number: string;
  status: LeadStatus;
  variables: VariableRow[];
}

/** The variables of a lead as rows of the form. */
export function variableRows(variables: Record<string, unknown>): VariableRow[] {
  return Object.entries(variables).map(([name, value]) => ({ name, value: asText(value) }));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The rows whose value differs from the stored one. Text replaces text; where the stored value was a number, a boolean, a
 * list or an object, the text is read as JSON if it is valid JSON.
 */
function changedVariables(
  rows: readonly VariableRow[],
  stored: Record<string, unknown>,
): Record<string, unknown> {
  const changed = rows
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name, value }) => name !== '' && (!(name in stored) || asText(stored[name]) !== value));
  return Object.fromEntries(changed.map(({ name, value }) => [name, typedLike(stored[name], value)]));
}

/** The variables of all rows. A row without a name is left out. */
export function allVariables(
  rows: readonly VariableRow[],
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const named = rows
    .map(({ name, value }) => ({ name: name.trim(), value }))
    .filter(({ name }) => name !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name, typedLike(stored[name], value)]));
}

function typedLike(stored: unknown, text: string): unknown {
  if (stored === undefined || typeof stored === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The numbers of a field with one number per line. */
export function contactNumbers(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The input that creates a lead. */
export function toNewLead(draft: NewLeadDraft) {
  return {
    phone_number: draft.phone_number,
    campaign_id: draft.campaign_id === '' ? Number.NaN : Number(draft.campaign_id),
    allow_duplicate: draft.allow_duplicate,
    variables: changedVariables(draft.variables, {}),
    secondary_contacts: contactNumbers(draft.contacts).map((number) => ({ phone_number: number })),
  };
}

interface StoredLead {
  phone_number: string;
  status: LeadStatus;
  variables: Record<string, unknown>;
}

/** The input that changes a lead: only what was edited, because a status that is sent again has effects of its own. */
export function toLeadChanges(draft: LeadDraft, stored: StoredLead) {
  const variables = changedVariables(draft.variables, stored.variables);
  return {
    ...(draft.phone_number !== stored.phone_number && { phone_number: draft.phone_number }),
    ...(draft.status !== stored.status && { status: draft.status }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
}
