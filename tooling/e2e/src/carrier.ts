/**
 * A carrier of the test's own, with people behind it, that refuses REFER (405), as most do. It writes down what crosses
 * its socket and what each of its people heard.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPhone, type Character } from '@parley/phones';
import { silentLog, systemClock } from '@parley/runtime';
import type { Installation } from './installation.ts';
import { readPhonesLog, type PhonesLogLine } from './phones-log.ts';

/** A running carrier. */
export interface Carrier {
  log(): Promise<PhonesLogLine[]>;
  /**
   * What the carrier saw of the first call to one of its people since an instant.
   *
   * @param sinceMs - time of the system clock
   */
  seen(number: string, sinceMs: number): Promise<SeenCall>;
  stop(): Promise<void>;
}

/** What a carrier saw of a call. */
interface SeenCall {
  /** Methods of our requests, in order, without retransmissions. */
  requests: string[];
  /** What the person heard; absent before the end of the call. */
  sound?: PhonesLogLine;
}

/** How long each tone was heard, milliseconds, by its frequency in Hz. */
export function tonesOf(sound: PhonesLogLine | undefined): Record<string, number> {
  return (sound?.['tonesMs'] ?? {}) as Record<string, number>;
}

/**
 * Starts it on 127.0.0.1, as a trunk of the installation to fictional numbers.
 *
 * @param people - the behaviour by number; other numbers do not exist
 */
export async function startCarrier(
  installation: Installation,
  people: Readonly<Record<string, Character>>,
): Promise<Carrier> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-carrier-'));
  const logFile = join(folder, 'carrier.jsonl');
  const phone = createPhone({
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    rtpPorts: null,
    logFile,
    findCharacter: (number) => people[number] ?? { takes: 'refuses', status: 404 },
  });
  await phone.start();
  await installation.request('POST', '/api/user/phone-numbers/sip-trunks', {
    name: 'Carrier',
    host: '127.0.0.1',
    port: phone.address().port,
    reach: 'fictional',
    caller_number: '+12025550198',
  });
  return {
    log: () => readPhonesLog(logFile),
    seen: async (number, sinceMs) => seenCall(await readPhonesLog(logFile), number, sinceMs),
    stop: async () => {
      await phone.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function seenCall(log: readonly PhonesLogLine[], number: string, sinceMs: number): SeenCall {
  const lines = log.filter(({ at }) => Date.parse(at) >= sinceMs);
  const invite = lines.find(({ method, toUser }) => method === 'INVITE' && toUser === number);
  const own = lines.filter(({ callId }) => callId === invite?.callId);
  // Requests over UDP are retransmitted with the same branch.
  const requests = new Map<string, string>();
  for (const { direction, method, branch } of own)
    if (direction === 'in' && method) requests.set(`${method} ${String(branch)}`, method);
  const sound = own.find(({ event }) => event === 'sound');
  return { requests: [...requests.values()], ...(sound ? { sound } : {}) };
}
