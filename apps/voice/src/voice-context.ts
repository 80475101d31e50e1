/** What every part of the voice process shares. Put together in app.ts, never changed afterwards. */
import type { CoreContext } from '@parley/core';
import type { SipLine } from '@parley/telephony';
import type { Engines } from './engines.ts';
import type { VoiceLease } from './lease.ts';
import type { LiveCalls } from './live-calls.ts';

/** The parts a call is made of. Clock and log are those of `core`. */
export interface VoiceContext {
  core: CoreContext;
  lease: VoiceLease;
  calls: LiveCalls;
  engines: Engines;
  line: SipLine;
  /** How long a phone may ring, milliseconds. */
  ringLimitMs: number;
}
