/** The bridge of one call, ready to dial a second leg. */
import type { CallForVoice, VoiceFence } from '@parley/core';
import type { BackgroundWork } from '@parley/runtime';
import type { CallLeg } from '@parley/telephony';
import type { VoiceContext } from '../voice-context.ts';
import { BridgeRecord, type BridgeRecordOptions } from './bridge-record.ts';
import { CallBridge, type CallBridgeOptions } from './call-bridge.ts';

/** What the call has. */
export interface OpenBridgeOptions {
  voice: VoiceContext;
  call: CallForVoice;
  leg: CallLeg;
  fence: VoiceFence;
  background: BackgroundWork;
  report: BridgeRecordOptions['report'];
  hangUp: CallBridgeOptions['hangUp'];
}

/** Asks core for second legs, and records what becomes of them. */
export function openBridgeRecord({
  voice,
  call,
  fence,
  report,
}: Pick<OpenBridgeOptions, 'voice' | 'call' | 'fence' | 'report'>): BridgeRecord {
  return new BridgeRecord({ core: voice.core, callId: call.callId, fence, report });
}

/** Dials nothing yet. */
export function openBridge(options: OpenBridgeOptions): CallBridge {
  const { voice, call, leg, fence, background, report, hangUp } = options;
  const { core, endpoint, calls } = voice;
  const record = openBridgeRecord({ voice, call, fence, report });
  return new CallBridge({ background, clock: core.clock, endpoint, calls, call, leg, record, hangUp });
}
