/**
 * Which voice process receives the next inbound call. Each process reports its free slots after every change; a call that
 * was sent to it since its last report takes one of them until the process reports again or refuses the call.
 */
import type { FrontTarget } from '@parley/telephony';
import type { ChildReport } from './child-report.ts';

interface Endpoint {
  target: FrontTarget;
  reportedFree: number;
  /** Places for callers who wait. */
  reportedPlaces: number;
  /** The lease of the process; absent before it is registered. */
  processId: string | undefined;
  /** The calls that the last report does not include, as the front names them. */
  pending: Set<string>;
}

/** The processes of a fleet that can be reached, by name. */
export class EndpointSchedule {
  readonly #endpoints = new Map<string, Endpoint>();

  /** Takes a report of a process. `host` is the address at which the fleet reaches it. */
  report(name: string, { sipPort, freeCalls, freeQueueSlots, processId }: ChildReport, host: string): void {
    const known = this.#endpoints.get(name)?.target;
    const target = known?.port === sipPort ? known : { host, port: sipPort };
    this.#endpoints.set(name, {
      target,
      reportedFree: freeCalls,
      reportedPlaces: freeQueueSlots,
      processId,
      pending: new Set(),
    });
  }

  /** A process has ended. @returns its lease, if it had one */
  remove(name: string): string | null {
    const processId = this.#endpoints.get(name)?.processId ?? null;
    this.#endpoints.delete(name);
    return processId;
  }

  /** Whether the process behind a target still runs. */
  isAlive(target: FrontTarget): boolean {
    return [...this.#endpoints.values()].some((endpoint) => endpoint.target === target);
  }

  /** The process that listens for SIP on this port; null when it does not run. */
  at(port: number): FrontTarget | null {
    return [...this.#endpoints.values()].find(({ target }) => target.port === port)?.target ?? null;
  }

  /** The SIP port of a process; null when it does not run. */
  portOf(name: string): number | null {
    return this.#endpoints.get(name)?.target.port ?? null;
  }

  /**
   * The process with the most free slots, for a new call; when all are full, one with a place for a caller who may wait in a
   * queue; null without any.
   */
  choose(call: string): FrontTarget | null {
    const endpoint = this.#most(freeOf) ?? this.#most(placesOf);
    if (!endpoint) return null;
    endpoint.pending.add(call);
    return endpoint.target;
  }

  /** A process for a request that begins no call; null when no process runs. */
  any(): FrontTarget | null {
    return this.#sorted(freeOf)[0]?.target ?? null;
  }

  /** The call was refused, so it takes no slot. */
  refused(call: string): void {
    for (const { pending } of this.#endpoints.values()) pending.delete(call);
  }

  /** The endpoint with the most of that; undefined if none has any. */
  #most(count: (endpoint: Endpoint) => number): Endpoint | undefined {
    const [endpoint] = this.#sorted(count);
    return endpoint && count(endpoint) > 0 ? endpoint : undefined;
  }

  #sorted(count: (endpoint: Endpoint) => number): Endpoint[] {
    return [...this.#endpoints.values()].toSorted((one, other) => count(other) - count(one));
  }
}

/** Pending calls beyond the free slots take places. */
function placesOf(endpoint: Endpoint): number {
  return endpoint.reportedPlaces + Math.min(0, freeOf(endpoint));
}

function freeOf({ reportedFree, pending }: Endpoint): number {
  return reportedFree - pending.size;
}
