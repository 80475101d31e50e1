/** Labels for a token's permissions and state, and how the form becomes the server's input. */
import type { Scope, TokenRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** `active`: it opens what its scopes say; the others open nothing any more. */
export type TokenState = 'active' | 'expired' | 'revoked';

/** @param nowMs - the browser's clock; the server's alone decides */
export function tokenState(
  { revoked_at, expires_at }: Pick<TokenRecord, 'revoked_at' | 'expires_at'>,
  nowMs: number,
): TokenState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= nowMs ? 'expired' : 'active';
}

/** Each scope with its description, for the form. */
export const scopeChoices: readonly { scope: Scope; label: string; description: string }[] = [
  { scope: 'read', label: texts.scopes.read.label, description: texts.scopes.read.hint },
  { scope: 'write', label: texts.scopes.write.label, description: texts.scopes.write.hint },
  { scope: 'call', label: texts.scopes.call.label, description: texts.scopes.call.hint },
];

/** `Read, call`; null is everything. */
export function scopesLabel(scopes: TokenRecord['scopes']): string {
  if (scopes === null) return texts.scopes.everything;
  const text = scopes.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `3 allowed numbers, 40 calls per day`; null without limits. */
export function limitsLabel(
  token: Pick<
    TokenRecord,
    'allowed_numbers' | 'max_calls_per_day' | 'max_cost_per_day' | 'requires_confirmation'
  >,
  formatCost: (amount: number) => string,
): string | null {
  const { allowed_numbers: numbers, max_calls_per_day: calls, max_cost_per_day: cost } = token;
  const limits = [
    numbers !== null && texts.limits.numbers(numbers.length),
    calls !== null && texts.limits.calls(calls),
    cost !== null && texts.limits.cost(formatCost(cost)),
    token.requires_confirmation && texts.limits.confirmation,
  ].filter((limit) => limit !== false);
  return limits.length === 0 ? null : limits.join(', ');
}

/** What the form holds. */
export interface TokenDraft {
  name: string;
  may_everything: boolean;
  /** Counts only without `may_everything`. */
  scopes: Scope[];
  requires_confirmation: boolean;
  /** The value of the field; empty: the token does not expire. */
  expires_in_days: string;
}

/** The initial draft. */
export const emptyDraft: TokenDraft = {
  name: '',
  may_everything: true,
  scopes: ['read'],
  requires_confirmation: false,
  expires_in_days: '',
};

/** The server's input for a draft. */
export function toTokenInput({
  name,
  may_everything,
  scopes,
  requires_confirmation,
  expires_in_days,
}: TokenDraft) {
  return {
    name: name.trim(),
    scopes: may_everything ? null : scopes,
    requires_confirmation,
    expires_in_days: expires_in_days.trim(),
  };
}
