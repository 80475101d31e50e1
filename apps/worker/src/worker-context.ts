/** The context that each task receives. */
import type { CoreContext, Embedder, RetentionDays } from '@parley/core';
import type { Reachability } from './reachability.ts';
import type { VoiceClient } from './voice-client.ts';
import type { GuardedClient } from '@parley/runtime/guarded-http';
import type { NoiseFilter } from '@parley/speech/noise';

export interface WorkerContext {
  core: CoreContext;
  voice: VoiceClient;
  webhooks: GuardedClient;
  /** For pages of knowledge bases, with a larger limit of what is read. */
  pages: GuardedClient;
  /** Asks providers for the embeddings of passages. */
  embedder: Embedder;
  /** Passages of one user that may be embedded in a day; 0: without limit. */
  embeddingsPerDay: number;
  retention: RetentionDays;
  reachability: Reachability;
  /** Its thread starts with the first recording and ends some time after the last one. */
  noise: NoiseFilter;
}
