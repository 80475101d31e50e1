/** Proves that the installation works by making a call: from the demo assistant to a test phone, all on loopback. */
import {
  findCall,
  listOutboundAssistants,
  placeCall,
  requestHangUp,
  type CoreContext,
  type Identity,
} from '@parley/core';
import { pause } from '@parley/runtime';
import { TALKING_PHONE } from './test-phones.ts';

export type SelfCheckResult =
  | { outcome: 'passed'; callId: number; answeredAfterMs: number }
  | { outcome: 'failed'; callId: number | null; why: string }
  | { outcome: 'skipped'; why: string };

const LOOK_INTERVAL_MS = 50;
const ANSWER_LIMIT_MS = 30_000;
const END_LIMIT_MS = 30_000;

/** Never rejects; what went wrong is in the result. */
export async function runSelfCheck(core: CoreContext, operator: Identity): Promise<SelfCheckResult> {
  let callId: number | null = null;
  try {
    const assistant = await findHarmlessAssistant(core, operator);
    if (!assistant) return { outcome: 'skipped', why: 'there is no outbound assistant without a webhook' };
    const startedMs = core.clock.monotonic();
    ({ callId } = await placeCall(core, operator, {
      phoneNumber: TALKING_PHONE,
      assistantId: assistant.id,
      isTest: true,
    }));
    const watch = { core, operator, callId };
    await waitForStatus(watch, ['in-progress'], ANSWER_LIMIT_MS);
    const answeredAfterMs = Math.round(core.clock.monotonic() - startedMs);
    await requestHangUp(core, operator, callId);
    await waitForStatus(watch, ['completed'], END_LIMIT_MS);
    return { outcome: 'passed', callId, answeredAfterMs };
  } catch (error) {
    return { outcome: 'failed', callId, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Finds an assistant whose calls send no webhook to a server of the operator at every start. */
async function findHarmlessAssistant(core: CoreContext, operator: Identity): Promise<{ id: number } | null> {
  const assistants = await listOutboundAssistants(core, operator);
  return assistants.find((assistant) => !assistant.is_webhook_active) ?? null;
}

interface Watch {
  core: CoreContext;
  operator: Identity;
  callId: number;
}

async function waitForStatus(watch: Watch, wanted: readonly string[], limitMs: number): Promise<void> {
  const { clock } = watch.core;
  const untilMs = clock.monotonic() + limitMs;
  for (;;) {
    const call = await findCall(watch.core, watch.operator, watch.callId);
    if (wanted.includes(call.status)) return;
    if (['failed', 'busy', 'no-answer'].includes(call.status))
      throw new Error(`the call ended as ${call.status} (${call.ended_reason ?? 'no reason given'})`);
    if (clock.monotonic() > untilMs)
      throw new Error(`the call stayed ${call.status} for ${limitMs / 1_000} s`);
    await pause(clock, LOOK_INTERVAL_MS);
  }
}
