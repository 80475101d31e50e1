/** Ends the written conversations in which nothing was written for long. Runs every minute in one worker. */
import { endInactiveConversations } from '@parley/core';
import type { WorkerContext } from '../worker-context.ts';

export async function endWrittenConversationsTask({ core }: WorkerContext): Promise<void> {
  const count = await endInactiveConversations(core);
  if (count > 0) core.log.info({ count }, 'Written conversations ended without a message for long');
}
