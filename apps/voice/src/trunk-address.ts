/** A trunk of core in the words of telephony. */
import type { TrunkAccess } from '@parley/core';
import type { AnswerSettings, TrunkAddress } from '@parley/telephony';

/** The settings of a trunk that apply to each of its calls; absent ones are the defaults. */
export function legSettings(trunk: TrunkAccess | null): AnswerSettings {
  if (!trunk) return {};
  const { dtmf, numberFormat, mediaEncryption: encryption, rtpTimeoutSeconds: seconds } = trunk;
  return { dtmf, numberFormat, encryption, ...(seconds === null ? {} : { silenceLimitMs: seconds * 1000 }) };
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
