/** The servers of a trunk: those of each of its hosts in turn, as RFC 3263 finds them, and only where it may send. */
import type { PrivateAddresses } from '@parley/runtime';
import type { AgentDriver } from './agent-driver.ts';
import type { TrunkAddress, TrunkHost, TrunkTarget, TrunkTargets } from './dial-request.ts';

/** How many servers one call may try. */
const MAX_TARGETS = 8;

/** @throws the error of the first host when no host has an address that is allowed */
export async function findTargets(
  driver: Pick<AgentDriver, 'locate'>,
  {
    host,
    port,
    otherHosts = [],
    transport,
  }: Pick<TrunkAddress, 'host' | 'port' | 'otherHosts' | 'transport'>,
  allowed: PrivateAddresses,
): Promise<TrunkTargets> {
  const locate = async (one: TrunkHost): Promise<TrunkTarget[]> => {
    const { servers, source } = await driver.locate({ host: one.host, port: one.port, transport }, allowed);
    return servers.map((server) => ({
      host: one.host,
      port: one.port,
      address: server.address,
      addressPort: server.port,
      ...(server.priority === undefined ? {} : { priority: server.priority }),
      source,
    }));
  };
  const found = await Promise.allSettled([{ host, port }, ...otherHosts].map(locate));
  const [first, ...others] = distinct(found.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])));
  if (first) return [first, ...others.slice(0, MAX_TARGETS - 1)];
  const failure = found.find((one) => one.status === 'rejected');
  throw failure?.reason ?? new Error('The trunk has no host');
}

/** The same server under two names is tried once. */
function distinct(targets: readonly TrunkTarget[]): TrunkTarget[] {
  const isSame = (one: TrunkTarget, other: TrunkTarget): boolean =>
    one.address === other.address && one.addressPort === other.addressPort;
  return targets.filter((target, index) => targets.findIndex((other) => isSame(other, target)) === index);
}
