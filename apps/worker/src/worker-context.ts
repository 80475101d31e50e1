/** What a task is handed. */
import type { CoreContext } from '@parley/core';
import type { Reachability } from './reachability.ts';
import type { VoiceClient } from './voice-client.ts';
import type { GuardedClient } from '@parley/runtime/guarded-http';

export interface WorkerContext {
  core: CoreContext;
  voice: VoiceClient;
  webhooks: GuardedClient;
  /** How long a webhook is remembered after its end, days. */
  webhookLogDays: number;
  reachability: Reachability;
}
