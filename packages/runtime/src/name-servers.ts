/** How name servers are asked. */
import { Resolver } from 'node:dns/promises';

const QUERY_TIMEOUT_MS = 1500;
const TRIES = 2;

/** @param servers - as `host:port`; default: those of the system */
export function openNameServers(servers?: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return resolver;
}
