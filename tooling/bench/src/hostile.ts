/**
 * `npm run bench:hostile` (R32): what huge, deep and malformed bodies cost the api until they are refused, and how long another
 * client waits meanwhile. An attacker sends as many requests as the default limit of a token allows, and holds connections open on
 * which a body arrives byte by byte. The other client asks for its account 50 times a second, in alternation with and without the
 * attack. The exit code is 1 when the goal is missed or a body is not refused.
 */
import { Agent, request as requestHttp, type ClientRequest } from 'node:http';
import { pause, systemClock } from '@parley/runtime';
import { openTestbed, type Testbed } from './api-testbed.ts';
import { exitWith } from './exit-with.ts';
import { hostileRequests, type HostileRequest } from './hostile-bodies.ts';
import { quantile } from './spread.rules.ts';

/** docs/goals.md, R32. */
const GOAL_CPU_MS = 50;
const GOAL_P99_RATIO = 2;

const WARM_UP = 5;
const REPEATS = 20;
const ROUNDS = 6;
const ROUND_MS = 5000;
/** 50 requests a second. */
const OTHER_EVERY_MS = 20;
/** `RATE_LIMIT` is 1,200 a minute by default. */
const ATTACK_EVERY_MS = 50;
const SLOW_CONNECTIONS = 50;
const SLOW_BYTE_EVERY_MS = 1000;

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const agent = new Agent({ keepAlive: true });

/** @returns the status */
function send({ client, token }: Testbed, { path, headers, body }: HostileRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent,
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-length': body.length },
    };
    const sent = requestHttp(client.url + path, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', reject);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The api may refuse a body and close the connection before it has received all of it.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve(0);
      else reject(error);
    });
    sent.end(body);
  });
}

/** @returns processor time of the api for each request, milliseconds; null: it was not refused */
async function costOf(bed: Testbed, hostile: HostileRequest): Promise<number | null> {
  let isRefused = true;
  const sendSeveral = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 1) {
      const status = await send(bed, hostile);
      isRefused &&= status === 0 || (status >= 400 && status < 500);
    }
  };
  await sendSeveral(WARM_UP);
  const before = await bed.api.figures();
  await sendSeveral(REPEATS);
  const after = await bed.api.figures();
  return isRefused ? (after.cpuMicros - before.cpuMicros) / 1000 / REPEATS : null;
}

/** Another client's waits, milliseconds, in the order of its requests, which do not wait for each other. */
async function waitsOfOthers({ client }: Testbed): Promise<number[]> {
  const waits: Promise<number>[] = [];
  const endMs = systemClock.monotonic() + ROUND_MS;
  while (systemClock.monotonic() < endMs) {
    const startMs = systemClock.monotonic();
    waits.push(
      client.once({ method: 'GET', path: '/api/user/me' }).then(() => systemClock.monotonic() - startMs),
    );
    await pause(systemClock, OTHER_EVERY_MS);
  }
  return Promise.all(waits);
}

/** A body of which a byte comes each second. */
function openSlow({ client, token }: Testbed): ClientRequest {
  const sent = requestHttp(`${client.url}/api/user/lead`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'content-length': 100_000,
    },
  });
  // The api closes such a connection after its time.
  sent.on('error', () => undefined);
  sent.write('{');
  return sent;
}

/** @returns how to end it */
function startAttack(bed: Testbed, requests: readonly HostileRequest[]): () => Promise<void> {
  const slow = Array.from({ length: SLOW_CONNECTIONS }, () => openSlow(bed));
  const drip = setInterval(() => {
    for (const one of slow) one.write(' ');
  }, SLOW_BYTE_EVERY_MS);
  const open = new Set<Promise<unknown>>();
  let count = 0;
  const fire = setInterval(() => {
    const hostile = requests[count++ % requests.length];
    if (!hostile) return;
    const sent = send(bed, hostile)
      .catch(exitWith)
      .finally(() => open.delete(sent));
    open.add(sent);
  }, ATTACK_EVERY_MS);
  return async () => {
    clearInterval(drip);
    clearInterval(fire);
    for (const one of slow) one.destroy();
    await Promise.all(open);
  };
}

async function measure(bed: Testbed): Promise<boolean> {
  const requests = hostileRequests(bed.campaignId);
  let isMet = true;
  for (const hostile of requests) {
    const cost = await costOf(bed, hostile);
    isMet &&= cost !== null && cost <= GOAL_CPU_MS;
    write(`${hostile.name}: ${cost === null ? 'NOT REFUSED' : `${cost.toFixed(1)} ms of processor time`}`);
  }
  const waits = { quiet: [] as number[], attacked: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    waits.quiet.push(...(await waitsOfOthers(bed)));
    const stop = startAttack(bed, requests);
    waits.attacked.push(...(await waitsOfOthers(bed)));
    await stop();
  }
  const [quiet, attacked] = [quantile(waits.quiet, 0.99), quantile(waits.attacked, 0.99)];
  const ratio = attacked / quiet;
  write(
    `Others, p99 of ${waits.quiet.length} and ${waits.attacked.length} requests: ${quiet.toFixed(1)} ms alone, ${attacked.toFixed(1)} ms beside the attack, ${ratio.toFixed(1)} times`,
  );
  write(`Goal: at most ${GOAL_CPU_MS} ms each, and ${GOAL_P99_RATIO} times.`);
  return isMet && ratio <= GOAL_P99_RATIO;
}

async function run(): Promise<void> {
  const bed = await openTestbed();
  try {
    if (!(await measure(bed))) process.exitCode = 1;
  } finally {
    agent.destroy();
    await bed.leave();
  }
}

run().catch(exitWith);
