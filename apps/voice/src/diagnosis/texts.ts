/** What the diagnosis of a trunk says, and what it advises. */

const allowPrivate =
  'Use a public host. An operator may allow addresses of the own network with TRUNK_ALLOW_PRIVATE.';
const askForAddress =
  'Ask the carrier to allow calls from the public address of this server, and check the user name and the password.';

/** Plain texts, and functions for texts with values. */
export const texts = {
  later: 'Not examined, because the trunk cannot be reached.',
  dns: {
    isAddress: 'The host is an address.',
    found: 'The host name has an address.',
    missing: 'The host name has no address.',
    missingCure: 'Check the spelling of the host, and that the name servers of this machine answer.',
  },
  address: {
    allowed: 'The address of the trunk is allowed.',
    forbidden: 'The host leads to an address that this trunk must not use.',
    forbiddenCure: allowPrivate,
  },
  servers: {
    naptr: (servers: string) => `NAPTR and SRV records lead to ${servers}.`,
    srv: (servers: string) => `SRV records lead to ${servers}.`,
    host: (servers: string) => `No SRV records are used. The host leads to ${servers}.`,
    silent: (servers: string) => `Of several servers, these do not answer OPTIONS: ${servers}.`,
    silentCure:
      'Calls go to the servers that answer. If those named are not in use any more, remove them from the DNS records or from the other hosts.',
  },
  reach: {
    answered: (status: number) => `The trunk answers (SIP status ${status}).`,
    unavailable: (status: number) =>
      `The trunk answers, but says that it is not available (SIP status ${status}).`,
    unavailableCure: 'Try again later, and ask the carrier if it stays so.',
    closed: (port: number, transport: string) => `Nothing listens on port ${port} (${transport}).`,
    closedCure: 'Check host, port and transport in the documents of the carrier.',
    otherTransport: (port: number, used: string, other: string) =>
      `No answer over ${used}, but the trunk answers over ${other} on port ${port}.`,
    otherTransportCure: (other: string) => `Set the transport of the trunk to ${other}.`,
    open: 'The port is open, but the trunk does not answer OPTIONS.',
    silent: 'The trunk does not answer.',
    silentCure:
      'Check host, port and transport, and that no firewall drops SIP. Some carriers answer only addresses that they know: have the public address of this server allowed.',
    callsPass: 'The trunk does not answer OPTIONS, but calls get through.',
  },
  tls: {
    none: 'This trunk does not use TLS.',
    verified: 'The certificate of the trunk is trusted and contains its host.',
    unverified: 'The connection is encrypted, but the certificate of the trunk is not verified.',
    unverifiedCure: 'Put the certificate of the trunk into SIP_TLS_CA_FILE, and turn tls_verify on.',
    failed: 'The port is open, but no TLS connection to it succeeds.',
    failedCure:
      'The log of the voice process names the reason. For a certificate that is not trusted, put it into SIP_TLS_CA_FILE; for another name, enter the host that the certificate contains; for a port without TLS, correct port and transport.',
  },
  authentication: {
    accepted: 'The trunk has accepted user name and password.',
    wrong: 'The trunk does not accept the user name or the password.',
    wrongCure:
      'Enter user name and password again. Some carriers use another name for SIP than for their website.',
    missing: 'The trunk asks for a user name and a password, and has none.',
    missingCure:
      'Enter the user name and the password of the carrier, or have the address of this server allowed.',
    unsupported: 'The trunk asks for a method of authentication that Parley does not support.',
    unsupportedCure: 'Ask the carrier for digest authentication with MD5 or SHA-256.',
    stale: 'The trunk does not accept its own challenge again and again.',
    staleCure: 'Ask the carrier: its servers may not share their challenges.',
    refused: (status: number) => `The trunk refuses this account or this address (SIP status ${status}).`,
    refusedCure: askForAddress,
    notAsked: 'The trunk has not asked for a password. A test call shows whether it does so for calls.',
  },
  registration: {
    none: 'This trunk does not register.',
    registered: 'The trunk is registered.',
    noHost: 'The host of the registrar has no address.',
    noHostCure: 'Check the spelling of the registrar.',
    forbidden: 'The registrar has an address that this trunk must not use.',
    forbiddenCure: allowPrivate,
    silent: 'The registrar does not answer.',
    silentCure: 'Check the host and port of the registrar, and that no firewall drops SIP.',
    wrong: 'The registrar does not accept the user name or the password.',
    wrongCure: 'Enter user name and password again.',
    refused: (status: number) => `The registrar refuses the account (SIP status ${status}).`,
    refusedCure: 'Ask the carrier whether the account may register, and with which name.',
    failed: 'The registrar accepts the account, but the latest registration has failed.',
    failedCure: 'Wait for the next attempt. If it fails again, look at the reason in the list of trunks.',
    pending: 'The registrar accepts the account, but no voice process has registered it yet.',
    pendingCure: 'Wait some seconds. A voice process must run to register a trunk.',
  },
  codec: {
    common: 'The trunk and Parley have a codec in common.',
    refused: (status: number) => `The latest call was refused because of its codecs (SIP status ${status}).`,
    none: 'The trunk offers no codec that Parley supports.',
    cure: 'Have the carrier enable G.711 (PCMU or PCMA).',
    unknown: 'Not known before the first call: the trunk does not tell its codecs.',
  },
  identity: {
    accepted: 'The latest call was not refused because of its caller.',
    refused: (status: number) =>
      `The latest call was refused in a way that points to its caller ID (SIP status ${status}).`,
    cure: 'Show a number that belongs to your account with the carrier, and choose the header that the carrier reads (“Caller ID of outbound calls”).',
    unknown: 'Not known before the first call.',
  },
  nat: {
    fine: 'The trunk can reach the addresses that Parley announces.',
    unseen: 'The trunk does not tell from where it sees this server.',
    privateHost: (host: string) => `Parley announces ${host}, which the trunk cannot reach.`,
    seenElsewhere: (announced: string, seen: string) =>
      `Parley announces ${announced}, but the trunk sees ${seen}.`,
    cure: 'Set SIP_PUBLIC_ADDRESS to the public address of this server, and RTP_PUBLIC_ADDRESS if audio has another one.',
    port: (announced: number, seen: number) =>
      `The network maps port ${announced} of this server to ${seen}. Inbound calls may not arrive.`,
    portCure: 'Forward the SIP port to this server unchanged, or let the trunk register.',
  },
  clock: {
    same: 'The clocks of the trunk and this server agree.',
    different: (minutes: number) => `The clocks of the trunk and this server differ by ${minutes} minutes.`,
    cure: 'Check that the clock of this server is synchronised (NTP). Carriers refuse calls whose signatures are too old.',
    unknown: 'The trunk does not tell its time.',
  },
  audio: {
    both: (sent: number, received: number) =>
      `Audio went both ways: ${sent} packets sent, ${received} received.`,
    notReceived: 'No audio arrived from the trunk.',
    notReceivedCure: 'Open the UDP ports of RTP_PORTS, and check RTP_PUBLIC_ADDRESS.',
    notSent: 'No audio was sent to the trunk.',
    notSentCure: 'Look at the session description of the trunk in the SIP trace of the call.',
    lost: (percent: number) => `Audio went both ways, but ${percent} % of the packets were lost.`,
    lostCure: 'Look for an overloaded network between this server and the carrier.',
    unanswered: (status: number | null) =>
      status === null
        ? 'The test call got no answer.'
        : `The test call was not answered (SIP status ${status}).`,
    unansweredCure: 'Answer the test call, and let it run for some seconds.',
    otherTrunk: 'There is no SIP trace of the test call on this trunk.',
    otherTrunkCure:
      'Wait until the call has ended. Calls use the trunk of the assistant’s number: select an assistant with a number on this trunk.',
    unknown: 'Not known before the first call that is answered.',
  },
};
