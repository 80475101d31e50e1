/** What a task is handed. */
import type { CoreContext } from '@parley/core';
import type { Reachability } from './reachability.ts';
import type { VoiceClient } from './voice-client.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface WorkerContext {
  core: CoreContext;
  voice: VoiceClient;
  webhooks: WebhookSender;
  reachability: Reachability;
}
