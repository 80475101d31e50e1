/** Diagnoses of trunks by this process: one at a time for each trunk, and a few in all. */
import type { TrunkDiagnosisRecord } from '@parley/contracts';
import { DomainError } from '@parley/core';
import type { VoiceContext } from '../voice-context.ts';
import { diagnoseTrunk } from './diagnose-trunk.ts';

/** Concurrent diagnoses of different trunks. */
const MOST = 8;

/** One per process. */
export class TrunkDiagnoses {
  readonly #running = new Set<number>();

  /** @throws DomainError `not-found`; `unavailable` while this trunk, or too many others, are being diagnosed */
  async run(
    voice: Pick<VoiceContext, 'core' | 'endpoint'>,
    about: { trunkId: number; callId: number | null },
  ): Promise<TrunkDiagnosisRecord> {
    const { trunkId } = about;
    if (this.#running.has(trunkId) || this.#running.size >= MOST)
      throw new DomainError('unavailable', 'A diagnosis is running. Try again when it has ended.');
    this.#running.add(trunkId);
    try {
      return await diagnoseTrunk(voice, about);
    } finally {
      this.#running.delete(trunkId);
    }
  }
}
