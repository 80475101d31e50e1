/** Where a trunk registers, and from where the calls of its account come. */
import { readHostPort, type HostPort } from '@parley/contracts';
import type { TrunkRow } from '@parley/db';

/** Where a trunk registers: at its registrar, or else at its hosts. */
export function registrarsOf({
  host,
  port,
  otherHosts,
  registrar,
}: Pick<TrunkRow, 'host' | 'port' | 'otherHosts' | 'registrar'>): [HostPort, ...HostPort[]] {
  const named = registrar === null ? null : readHostPort(registrar);
  return named ? [named] : [{ host, port }, ...otherHosts.flatMap((one) => readHostPort(one) ?? [])];
}
