/** The job that embeds the passages of a knowledge base: at most one waits for each. */
import type { Tx } from '@parley/db';
import { enqueue } from '../jobs/catalogue.ts';

/** @param runAt - default: at once */
export async function enqueueEmbedding(tx: Tx, knowledgebaseId: number, runAt?: Date): Promise<void> {
  const jobKey = `embed_passages:${knowledgebaseId}`;
  await enqueue(tx, 'embed_passages', { knowledgebaseId }, { jobKey, ...(runAt && { runAt }) });
}
