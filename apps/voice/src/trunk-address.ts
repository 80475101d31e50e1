/** A trunk of core in the words of telephony. */
import { writeNumberTo, type TrunkAccess } from '@parley/core';
import type { AnswerSettings, TrunkAddress } from '@parley/telephony';

const CODEC_NAMES = new Map<string, NonNullable<AnswerSettings['codecs']>[number]>([
  ['pcmu', 'PCMU'],
  ['pcma', 'PCMA'],
  ['g722', 'G722'],
  ['opus', 'opus'],
]);

/** The settings of a trunk that apply to each of its calls; absent ones are the defaults. */
export function legSettings(trunk: TrunkAccess | null): AnswerSettings {
  if (!trunk) return {};
  const { dtmf, mediaEncryption: encryption, rtpTimeoutSeconds: seconds } = trunk;
  const codecs = trunk.codecs.flatMap((name) => CODEC_NAMES.get(name) ?? []);
  return {
    dtmf,
    writeNumber: (number) => writeNumberTo(trunk, number),
    encryption,
    ...(trunk.incomingRefer === 'refused' ? {} : { acceptsRefer: true }),
    ...(codecs.length === 0 ? {} : { codecs }),
    ...(seconds === null ? {} : { silenceLimitMs: seconds * 1000 }),
  };
}

/** The sample rate of a trunk's calls, in hertz. A codec that is allowed may be agreed on. */
export function trunkRateHz(trunk: TrunkAccess | null): 8000 | 16_000 {
  return trunk?.codecs.some((name) => name === 'g722' || name === 'opus') ? 16_000 : 8000;
}

/** Where and how the carrier takes our calls. */
export function trunkAddress(trunk: TrunkAccess): TrunkAddress {
  const { host, port, otherHosts, transport, username, authUsername, password, isOperators, fromUser } =
    trunk;
  const { fromName } = trunk;
  return {
    host,
    port,
    otherHosts,
    transport,
    isTlsVerified: trunk.tlsVerify,
    isTrusted: isOperators,
    ...legSettings(trunk),
    callerHeader: trunk.outboundCallerHeader,
    ...(fromUser === null ? {} : { fromUser }),
    ...(fromName === null ? {} : { fromName }),
    ...(username === null ? {} : { username }),
    ...(authUsername === null ? {} : { authUsername }),
    ...(password === null ? {} : { password }),
  };
}
