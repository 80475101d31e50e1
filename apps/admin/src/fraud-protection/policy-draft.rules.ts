/** The form of the settings: what is read becomes text, what is typed becomes what the server reads. */
import type { DialPolicyInput, DialPolicyRecord, NumberKind } from '@parley/contracts';

/** In the order of the form. */
export const SCOPES = ['user', 'token', 'trunk'] as const;
/** In the order of the form. */
export const MEASURES = ['calls_per_second', 'calls_per_day', 'cost_per_day'] as const;

/** A user, an API token or a trunk. */
type Scope = (typeof SCOPES)[number];
type Limits<Value> = Record<Scope, Record<(typeof MEASURES)[number], Value>>;

/** What is typed. */
export interface PolicyDraft {
  countries: string;
  kinds: NumberKind[];
  smsPerDay: string;
  limits: Limits<string>;
}

/** What the server reads: it turns text into numbers and says what is wrong with it. */
export interface PolicyInput extends Omit<DialPolicyInput, 'limits' | 'sms_per_day'> {
  sms_per_day: string | null;
  limits: Limits<string | null>;
}

/** Messages of the server by the fields of the form; a country is a part of one field. */
export function atFields(messages: Readonly<Record<string, string>>): Record<string, string> {
  const renamed = Object.entries(messages).map(([path, message]) => {
    if (path.startsWith('allowed_countries')) return ['countries', message];
    if (path.startsWith('blocked_number_types')) return ['kinds', message];
    return [path === 'sms_per_day' ? 'smsPerDay' : path, message];
  });
  return Object.fromEntries(renamed) as Record<string, string>;
}

function mapLimits<From, To>(limits: Limits<From>, change: (value: From) => To): Limits<To> {
  const ofScope = (scope: Scope) => ({
    calls_per_second: change(limits[scope].calls_per_second),
    calls_per_day: change(limits[scope].calls_per_day),
    cost_per_day: change(limits[scope].cost_per_day),
  });
  return { user: ofScope('user'), token: ofScope('token'), trunk: ofScope('trunk') };
}

/** The form of what is stored. */
export function draftOf(policy: DialPolicyRecord): PolicyDraft {
  return {
    countries: (policy.allowed_countries ?? []).join(', '),
    kinds: policy.blocked_number_types,
    smsPerDay: policy.sms_per_day?.toString() ?? '',
    limits: mapLimits<number | null, string>(policy.limits, (value) => value?.toString() ?? ''),
  };
}

function textOrNull(value: string): string | null {
  return value.trim() === '' ? null : value.trim();
}

/** What the form means; without any country the countries of the operator's own numbers are allowed. */
export function toPolicy({ countries, kinds, smsPerDay, limits }: PolicyDraft): PolicyInput {
  const codes = countries.split(/[\s,;]+/).filter((code) => code !== '');
  return {
    allowed_countries: codes.length > 0 ? codes : null,
    blocked_number_types: kinds,
    sms_per_day: textOrNull(smsPerDay),
    limits: mapLimits(limits, textOrNull),
  };
}
