/** Asks a voice process to diagnose a trunk: it has the SIP line. */
import { errorBody, errorText, internal, trunkDiagnosis, type TrunkDiagnosisRecord } from '@parley/contracts';
import {
  DomainError,
  findCallKey,
  pickVoiceProcess,
  requireTrunkToDiagnose,
  type CoreContext,
  type Identity,
} from '@parley/core';
import type { Clock } from '@parley/runtime';
import { createRateLimit, requireAllowance } from './http/rate-limit.ts';
import type { VoiceAccess } from './voice-access.ts';

/** Each diagnosis sends a few requests to the trunk: this many in a minute for each trunk. */
const PER_MINUTE = 6;
/** Milliseconds. */
const TIME_LIMIT_MS = 30_000;
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
export function createDiagnoseTrunk(access: VoiceAccess, clock: Clock): DiagnoseTrunk {
  const rateLimit = createRateLimit(PER_MINUTE, clock);
  return async (core, identity, { trunkId, callId }) => {
    await requireTrunkToDiagnose(core, identity, trunkId);
    if (callId !== null) await findCallKey(core, identity, callId);
    requireAllowance(rateLimit.count(`trunk ${trunkId}`));
    const base = access.voiceUrl ?? (await pickVoiceProcess(core.db))?.url;
    if (base === undefined) throw new DomainError('unavailable', errorText.unavailable);
    const path = internal.diagnoseTrunk.path.replace(':id', String(trunkId));
    const limit = new AbortController();
    const timer = core.clock.after(TIME_LIMIT_MS, () => limit.abort());
    try {
      const answer = await fetch(new URL(path, base), {
        method: internal.diagnoseTrunk.method,
        headers: { authorization: `Bearer ${access.internalSecret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ call_id: callId }),
        signal: limit.signal,
      });
      if (answer.status === 200) return trunkDiagnosis.parse(await answer.json());
      throw refusalOf(answer.status, await answer.json());
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const message = limit.signal.aborted ? TOO_SLOW : errorText.unavailable;
      throw new DomainError('unavailable', message, { cause: error });
    } finally {
      timer.cancel();
    }
  };
}

/** @throws ZodError when the answer is not that of the contract */
function refusalOf(status: number, body: unknown): DomainError {
  const { message } = errorBody.parse(body);
  if (status === 404) return new DomainError('not-found', message);
  return new DomainError('unavailable', status === 503 ? message : errorText.unavailable);
}
