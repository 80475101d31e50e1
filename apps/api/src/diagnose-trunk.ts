/** Asks a voice process, which has the SIP endpoint, to diagnose a trunk. */
import { internal, trunkDiagnosis, type TrunkDiagnosisRecord } from '@parley/contracts';
import { findCallKey, requireTrunkToDiagnose, type CoreContext, type Identity } from '@parley/core';
import { createRateLimit, requireAllowance } from './http/rate-limit.ts';
import type { SharedWindows } from './http/shared-windows.ts';
import { askVoiceProcess, type VoiceAccess } from './voice-access.ts';

/** Each diagnosis sends a few requests to the trunk: this many in a minute for each trunk. */
const PER_MINUTE = 6;
const TOO_SLOW = 'The diagnosis has not ended within 30 seconds.';

/**
 * Diagnoses a trunk.
 *
 * @throws DomainError `not-found`, also for another user's trunk or call; `forbidden` for members when the trunk is shared;
 *   `unavailable` without a voice process, and while a diagnosis of this trunk is running
 * @throws RefusedRequest 429
 */
export type DiagnoseTrunk = (
  core: CoreContext,
  identity: Identity,
  about: { trunkId: number; callId: number | null },
) => Promise<TrunkDiagnosisRecord>;

/** One for each process. @param access - of the voice processes */
export function createDiagnoseTrunk(access: VoiceAccess, windows: SharedWindows): DiagnoseTrunk {
  const rateLimit = createRateLimit('diagnoses', PER_MINUTE, windows);
  return async (core, identity, { trunkId, callId }) => {
    await requireTrunkToDiagnose(core, identity, trunkId);
    if (callId !== null) await findCallKey(core, identity, callId);
    requireAllowance(rateLimit.count(`trunk ${trunkId}`));
    return askVoiceProcess(core, access, {
      method: internal.diagnoseTrunk.method,
      path: internal.diagnoseTrunk.path.replace(':id', String(trunkId)),
      body: { call_id: callId },
      answer: trunkDiagnosis,
      passedOn: [503],
      tooSlow: TOO_SLOW,
    });
  };
}
