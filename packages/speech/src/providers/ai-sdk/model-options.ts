/** The options of the language models of all providers. */
import type { Clock } from '@parley/runtime';
import type { PatienceLimits } from '../../wire/patience.ts';
import type { ProviderAccount } from '../provider-account.ts';

/** One model of one account. */
export interface ModelOptions {
  account: ProviderAccount;
  /** The provider's name of the model. */
  model: string;
  clock: Clock;
  /** Set by tests only. */
  limits?: PatienceLimits;
}
