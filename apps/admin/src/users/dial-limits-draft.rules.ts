/** What the form of a user's call limits holds. The server reads an empty text as none, and checks the others. */
import type { UserRecord } from '@parley/contracts';

/** The values of the fields, as text. Names match the API, so that the server's messages reach their fields. */
export type DialLimitsDraft = Record<
  'max_calls_per_second' | 'max_calls_per_day' | 'max_cost_per_day' | 'limit_webhook_url',
  string
>;

/** The form for a user. */
export function dialLimitsDraft(user: UserRecord): DialLimitsDraft {
  return {
    max_calls_per_second: String(user.max_calls_per_second ?? ''),
    max_calls_per_day: String(user.max_calls_per_day ?? ''),
    max_cost_per_day: String(user.max_cost_per_day ?? ''),
    limit_webhook_url: user.limit_webhook_url ?? '',
  };
}
