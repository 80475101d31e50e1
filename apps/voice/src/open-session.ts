/** Opens everything that a session needs, and releases it if no session results. */
import type { CallForVoice } from '@parley/core';
import type { CallLeg } from '@parley/telephony';
import { CallSession } from './call-session.ts';
import { type CallSessionOptions } from './call-session-options.ts';
import { openServers } from './tools/mcp/mcp-toolbox.ts';

/** The assistant that speaks first, or that spoke when another process lost the call. */
function speakerOf({ call, resumed }: Pick<CallSessionOptions, 'call' | 'resumed'>): CallForVoice {
  const speaker = call.others.find(({ assistant }) => assistant.id === resumed?.conversation.speakerId);
  return speaker ? { ...call, ...speaker } : call;
}

/**
 * Opens engines and MCP servers first, so that little is left to fail once a phone rings, and then asks for the leg.
 *
 * @param openLeg - returns null if the call must not be made
 * @returns null without a leg
 * @throws SpeechError when a voice or model of the assistant is unavailable, or the error of `openLeg`
 */
export async function openSession(
  options: Omit<CallSessionOptions, 'engines' | 'servers' | 'leg'>,
  openLeg: () => CallLeg | Promise<CallLeg | null>,
): Promise<CallSession | null> {
  const { voice, call } = options;
  const engines = voice.engines.forCall(speakerOf(options));
  const servers = await openServers(voice, call);
  let leg: CallLeg | null = null;
  let session: CallSession | null = null;
  try {
    leg = await openLeg();
    if (leg) session = new CallSession({ ...options, engines, servers, leg });
  } finally {
    if (!session) {
      engines.release();
      voice.background.start('close MCP sessions', () => servers.close());
      if (leg) voice.background.start('hang up a leg without a session', leg.hangUp.bind(leg));
    }
  }
  return session;
}
