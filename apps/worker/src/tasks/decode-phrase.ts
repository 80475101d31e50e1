/** Decodes a recorded phrase and stores its sound. A repetition of a finished phrase does nothing. */
import { findPhraseToDecode, storePhrase, type DecodedPhrase } from '@parley/core';
import { runLimited } from '@parley/runtime/limited-process';
import type { WorkerContext } from '../worker-context.ts';

/** A minute of the highest sample rate takes two seconds. The decoder of MP3 never ends for some files of a kilobyte. */
const PROCESSOR_LIMIT_MS = 10_000;

export async function decodePhrase(
  { core }: WorkerContext,
  { phraseId }: { phraseId: number },
): Promise<void> {
  const file = await findPhraseToDecode(core, phraseId);
  if (!file) return;
  const decoded = await runLimited<DecodedPhrase>({
    file: new URL('../phrases/decode-worker.ts', import.meta.url),
    workerData: new Uint8Array(file),
    processorLimitMs: PROCESSOR_LIMIT_MS,
    clock: core.clock,
  });
  if ('failure' in decoded) core.log.info({ phraseId }, 'A recorded phrase could not be decoded');
  await storePhrase(core, phraseId, decoded);
}
