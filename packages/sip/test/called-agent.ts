/** A user agent that a scripted peer has called. */
import { sdp, Stage, toTag, type PeerRequest } from './scripted-peer.ts';

/** The address of our media. */
export const LOCAL = { host: '10.0.0.1', port: 41_000 };
/** Timer T1, milliseconds (RFC 3261 section 17.1.1.1). */
export const T1 = 500;

/** An agent that has been sent an INVITE. */
export function setup(invite: Partial<PeerRequest> = {}) {
  const stage = new Stage();
  const request = { method: 'INVITE', branch: 'z9hG4bK-invite', body: sdp(), ...invite };
  stage.request(request);
  const call = stage.incoming[0]?.call ?? 0;
  const repeat = () => stage.request(request);
  return { stage, call, repeat };
}

/** The same, answered with 200. */
export function answeredWithoutAck(invite: Partial<PeerRequest> = {}) {
  const { stage, call, repeat } = setup(invite);
  stage.sent();
  stage.run((agent, nowMs) => agent.answer(call, LOCAL, nowMs));
  const [ok] = stage.sent();
  if (!ok) throw new Error('Nothing was sent');
  return { stage, call, repeat, ok, tag: toTag(ok) };
}

/** The same, acknowledged. */
export function answered(invite: Partial<PeerRequest> = {}) {
  const parts = answeredWithoutAck(invite);
  parts.stage.request({ method: 'ACK', toTag: parts.tag });
  return parts;
}
