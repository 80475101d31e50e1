/** What the language models of all providers are made from. */
import type { Clock } from '@parley/runtime';
import type { PatienceLimits } from '../../wire/patience.ts';
import type { ProviderAccount } from '../provider-account.ts';

/** One model of one account. */
export interface ModelOptions {
  account: ProviderAccount;
  /** The provider's own name of the model. */
  model: string;
  clock: Clock;
  /** Only tests give other ones. */
  limits?: PatienceLimits;
}
