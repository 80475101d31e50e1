/** What is wrong with the installation, from the health of its processes and trunks. */
import type { ProcessHealth, TrunkRecord } from '@parley/contracts';
import type { RequestError } from '../client/request-error.ts';
import { texts } from './texts.ts';

/** How often the health is read, milliseconds. */
export const HEALTH_RENEWAL_MS = 15_000;

/** What the frame shows. */
export type HealthState = 'good' | 'bad' | 'unknown';

/** The answer of the server. */
export interface Health {
  processes: ProcessHealth;
  trunks: readonly { id: number; name: string; state: TrunkRecord['health']['state'] }[];
}

/**
 * Whether the installation can place calls. An API that fails to answer has no database; one that cannot be reached says nothing
 * about the installation.
 */
export function healthState(data: Health | undefined, failure: RequestError['kind'] | null): HealthState {
  if (failure) return failure === 'failed' ? 'bad' : 'unknown';
  if (!data) return 'unknown';
  return healthProblems(data).length > 0 ? 'bad' : 'good';
}

/** One sentence for each problem, with its cause and its cure; empty for a healthy installation. */
export function healthProblems({ processes, trunks }: Health): string[] {
  const { problems } = texts.health;
  const { voice_processes: voice, capacity, active_calls: calls, workers } = processes;
  return [
    ...(voice === 0 ? [problems.voice] : []),
    ...(voice > 0 && calls >= capacity ? [problems.full] : []),
    ...(workers === 0 ? [problems.worker] : []),
    ...trunks.filter(({ state }) => state === 'paused').map(({ name }) => problems.trunk(name)),
  ];
}
