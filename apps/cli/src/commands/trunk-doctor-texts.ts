/** The texts of `trunk-doctor`. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  about: 'diagnose a SIP trunk: each step with a verdict and, where something is wrong, a cure',
  trunk: 'id of the trunk',
  call: 'a call that has ended, to be judged as the test call; default: the latest calls of the trunk',
  steps: {
    dns: 'host name',
    address: 'address',
    servers: 'servers',
    reach: 'reach',
    authentication: 'password',
    registration: 'registration',
    codec: 'codecs',
    tls: 'TLS',
    caller_identity: 'caller ID',
    nat: 'own address',
    clock: 'clock',
    audio: 'audio',
  },
  verdicts: { ok: 'ok', warning: 'warning', failed: 'failed', skipped: 'skipped' },
  cure: (cure: string) => `Cure: ${cure}`,
  result: {
    ok: 'No fault was found.',
    warning: 'The trunk may work, with the warnings above.',
    failed: 'The trunk has the faults above.',
  },
};
