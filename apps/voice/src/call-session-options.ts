/** What a session of a call needs, and the limits and reasons that it and its starters share. */
import type { CallForVoice } from '@parley/core';
import type { CallLeg, LegEnd } from '@parley/telephony';
import type { HangUpRequest } from './call-end.rules.ts';
import type { CallEngines } from './engines.ts';
import type { ResumedCallState } from './resumed-call.ts';
import type { McpToolbox } from './tools/mcp/mcp-toolbox.ts';
import type { VoiceContext } from './voice-context.ts';

/** What a session needs. */
export interface CallSessionOptions {
  voice: VoiceContext;
  call: CallForVoice;
  /** Opened before the leg, so that no phone rings for an assistant that cannot speak. */
  engines: CallEngines;
  leg: CallLeg;
  /** The MCP servers of the assistant, whose tools have been listed already. */
  servers: McpToolbox;
  /** The call of a lost process, with which this one goes on. */
  resumed?: ResumedCallState | undefined;
  /** Receives each turn when it is complete, for the browser of a web call. */
  onTurn?: (turn: { sender: 'bot' | 'human'; text: string }) => void;
}

/**
 * How long a leg may take to end after a hang-up, milliseconds. SIP gives up waiting for the response to a BYE after
 * 32 s (RFC 3261 section 17.1.2.2, timer F); a leg that has not ended by then is lost.
 */
export const LEG_END_LIMIT_MS = 40_000;
/** Why a call cannot be supervised. */
export const NOT_TALKING = 'The customer and the assistant are not talking.';
/** The end of a call whose far end did not confirm it. */
export const UNCONFIRMED_END: LegEnd = {
  cause: 'line-lost',
  detail: 'The far end did not confirm the end of the call',
};
/** For the model, which would otherwise take the new person for the old one. */
export const REFERRED_NOTE =
  'The person has transferred the call. You are talking with another person now, who may not know what was said before.';
/** Something of ours failed. */
export const FAILURE: HangUpRequest = { by: 'system', reason: 'internal_error' };
/** The call belongs to another process. */
export const LOST: HangUpRequest = { by: 'system', reason: 'process_lost' };
