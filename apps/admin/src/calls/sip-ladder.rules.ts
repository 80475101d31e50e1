/** What the SIP ladder of a call shows beside the messages themselves. */
import type { CallDetail, SipTraceRecord } from '@parley/contracts';
import { formatMilliseconds } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

/** How long after the end of a call its trace may be missing, milliseconds. */
const STORED_AFTER_MS = 20_000;

/** `+1.234 s` since the first message. */
export function formatOffset(start: string, at: string): string {
  return `+${(Math.max(0, Date.parse(at) - Date.parse(start)) / 1000).toFixed(3)} s`;
}

/** Whether the trace may be stored soon: it follows the end of the call. */
export function mayStillCome(
  { ended_at }: Pick<CallDetail, 'ended_at'>,
  trace: Pick<SipTraceRecord, 'messages' | 'is_withheld'> | undefined,
  nowMs: number,
): boolean {
  if (ended_at === null || !trace || trace.is_withheld || trace.messages.length > 0) return false;
  return nowMs - Date.parse(ended_at) < STORED_AFTER_MS;
}

/** What of the call was encrypted. */
export function encryptionFacts({
  is_signalling_encrypted: signalling,
  is_audio_encrypted: audio,
}: NonNullable<SipTraceRecord['encryption']>): [string, string | null][] {
  const { encrypted, notEncrypted } = texts.ladder;
  return [
    [texts.ladder.signalling, signalling ? encrypted('TLS') : notEncrypted],
    [texts.ladder.audio, audio === null ? null : audio ? encrypted('SRTP') : notEncrypted],
  ];
}

/** Both directions of RTP. */
export function rtpFacts(rtp: NonNullable<SipTraceRecord['rtp']>): [string, string | null][] {
  const { sent, received, round_trip_ms } = rtp;
  const time = (milliseconds: number | null) =>
    milliseconds === null ? null : formatMilliseconds(milliseconds);
  return [
    [texts.ladder.codec, rtp.codec],
    [texts.ladder.packetsSent, texts.ladder.packets(sent.packets, sent.lost)],
    [texts.ladder.packetsReceived, texts.ladder.packets(received.packets, received.lost)],
    [texts.ladder.jitterThere, time(sent.jitter_ms)],
    [texts.ladder.jitterHere, time(received.jitter_ms)],
    [texts.ladder.roundTrip, time(round_trip_ms)],
  ];
}
