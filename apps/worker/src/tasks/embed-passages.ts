/** Embeds passages of a knowledge base. What it may do twice is in `embed-passages.ts` of core. */
import { embedPassages } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function embedPassagesTask(
  { core, embedder, embeddingsPerDay }: WorkerContext,
  { knowledgebaseId }: { knowledgebaseId: number },
): Promise<void> {
  await embedPassages(core, embedder, { knowledgebaseId, passagesPerDay: embeddingsPerDay });
}
