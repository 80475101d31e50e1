/**
 * Follows the redirect of a trunk (a 3xx) to the first target that may be reached. The agent has left only targets for the
 * number that was dialed; the addresses are checked here, at the point of use, like those of trunks.
 */
import { isForbiddenAddress, type PrivateAddresses } from '@parley/runtime';
import { defaultPort, type CallNumber, type RedirectTarget } from '@parley/sip';
import type { AgentDriver } from './agent-driver.ts';
import { tlsPeerOf } from './dial-request.ts';
import type { SipLeg } from './sip-leg.ts';

/** The redirected call. */
export interface RedirectedCall {
  driver: AgentDriver;
  leg: SipLeg;
  call: CallNumber;
  /** Which non-public addresses the hosts of trunks may resolve to. Default: all. */
  allowed: PrivateAddresses | undefined;
}

/**
 * Which addresses the targets of a redirect may have: those of trunks, but a host with a public address cannot redirect a
 * call into a private network, even where trunks may be in one.
 *
 * @param redirecting - the address of the host that redirects, null if it is unknown
 */
export function allowedTargets(
  redirecting: string | null,
  { isTrusted = false, allowed }: { isTrusted?: boolean | undefined; allowed: PrivateAddresses },
): PrivateAddresses {
  if (redirecting === null || !isForbiddenAddress(redirecting, 'none')) return 'none';
  return isTrusted ? 'all' : allowed;
}

/** Sends the INVITE to the first of the targets that has an allowed address, or ends the call. */
export async function followRedirect(
  { driver, leg, call, allowed = 'all' }: RedirectedCall,
  targets: readonly RedirectTarget[],
): Promise<void> {
  const allowedHere = allowedTargets(leg.signallingHost, { isTrusted: leg.trunk?.isTrusted, allowed });
  for (const target of targets) {
    const host = await driver.resolve(target.host, allowedHere).catch(() => null);
    if (leg.hasEnded) return;
    if (host === null) continue;
    const transport = target.transport ?? leg.trunk?.transport ?? 'udp';
    const destination = {
      transport,
      host,
      port: target.port ?? defaultPort(transport),
      connectionId: null,
      ...tlsPeerOf({ ...leg.trunk, host: target.host, transport }),
    };
    leg.moveTo(host);
    return driver.run((agent, nowMs) => agent.redirect(call, { target, destination }, nowMs));
  }
  driver.run((agent, nowMs) => agent.refuseRedirect(call, 'unusable-host', nowMs));
}
