/**
 * `npm run bench:sip`: the processor time of a complete call (INVITE, 100, 180, 200, ACK, BYE, 200), beside that of the callee
 * which is built into SIPp, in alternation in the same run. SIPp places the calls to both. `-- --rate 1000` offers more calls
 * per second. The exit code is 1 when a goal is missed. Needs Debian's `sip-tester`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pause, systemClock } from '@parley/runtime';
import { freePort, isInstalled } from '@parley/testkit';
import { startMeasured } from './measured-process.ts';
import { missedSipGoals } from './sip-goals.rules.ts';
import { spreadOf } from './spread.rules.ts';

const HOST = '127.0.0.1';
const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_CALLS = 3000;
/** SIPp gives up a call that takes longer. */
const ROUND_LIMIT_MS = 60_000;

/** A program that answers calls, and its processor time. */
interface Callee {
  port: number;
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

/** What SIPp says about the calls that it has placed. */
interface Placed {
  failed: number;
  retransmitted: number;
}

const { values } = parseArgs({ options: { rate: { type: 'string', default: '500' } } });
const rate = Number(values.rate);
if (!isInstalled('sipp')) process.exit(1);

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-sip-'));
const own = await startOwn();
const sipp = await startSipp();
const micros: { own: number[]; sipp: number[] } = { own: [], sipp: [] };
const placed: Placed = { failed: 0, retransmitted: 0 };
try {
  await placeCalls(own.port, WARM_UP_CALLS);
  await placeCalls(sipp.port, WARM_UP_CALLS);
  for (let round = 0; round < ROUNDS; round++) {
    const { failed, retransmitted } = await measure(own, micros.own);
    placed.failed += failed;
    placed.retransmitted += retransmitted;
    await measure(sipp, micros.sipp);
  }
} finally {
  await Promise.all([own.stop(), sipp.stop()]);
  await rm(folder, { recursive: true, force: true });
}

const spread = { own: spreadOf(micros.own), sipp: spreadOf(micros.sipp) };
const figures = {
  ownMicros: spread.own.median,
  sippMicros: spread.sipp.median,
  callsPerSecond: rate,
  ...placed,
};
const line = (name: string, { median, min, max }: typeof spread.own): string =>
  `${name.padEnd(28)}${median.toFixed(0)} us a call (${min.toFixed(0)} to ${max.toFixed(0)})\n`;
const missed = missedSipGoals(figures);
process.stdout.write(
  line('Parley', spread.own) +
    line("SIPp's built-in callee", spread.sipp) +
    `P10 ${(figures.ownMicros / figures.sippMicros).toFixed(1)} times SIPp; ${rate} calls a second, ` +
    `${ROUNDS * SECONDS * rate} in all, failed ${placed.failed}, retransmissions ${placed.retransmitted}\n` +
    (missed.length > 0 ? `\nMissed:\n${missed.join('\n')}\n` : '') +
    `${JSON.stringify({ ...figures, spread, missed })}\n`,
);
process.exitCode = missed.length > 0 ? 1 : 0;

async function measure(callee: Callee, into: number[]): Promise<Placed> {
  const calls = SECONDS * rate;
  const before = await callee.cpuMicros();
  const outcome = await placeCalls(callee.port, calls);
  into.push(((await callee.cpuMicros()) - before) / calls);
  return outcome;
}

async function startOwn(): Promise<Callee> {
  const process = startMeasured('tooling/bench/src/sip-callee.ts');
  const { port } = await process.exchange<{ port: number }>({});
  return {
    port,
    cpuMicros: async () => (await process.figures()).cpuMicros,
    stop: () => process.stop(),
  };
}

async function startSipp(): Promise<Callee> {
  const port = await freePort();
  const child = spawn('sipp', ['-sn', 'uas', '-i', HOST, '-p', `${port}`, '-nostdin'], {
    cwd: folder,
    stdio: 'ignore',
  });
  await pause(systemClock, 1000);
  return {
    port,
    cpuMicros: () => cpuMicrosOf(child),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Processor time of all threads of a process. */
async function cpuMicrosOf({ pid }: ChildProcess): Promise<number> {
  const tasks = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const task of await readdir(tasks)) {
    const times = await readFile(`${tasks}/${task}/schedstat`, 'utf8');
    nanoseconds += Number(times.split(' ')[0]);
  }
  return nanoseconds / 1000;
}

async function placeCalls(port: number, calls: number): Promise<Placed> {
  const statistics = join(folder, `calls-${await freePort()}.csv`);
  const from = ['-i', HOST, '-p', `${await freePort()}`, '-s', '+12025550101'];
  const load = ['-m', `${calls}`, '-r', `${rate}`, '-l', `${calls}`, '-d', '0'];
  const report = ['-nostdin', '-trace_stat', '-stf', statistics, '-fd', '1'];
  const caller = spawn('sipp', ['-sn', 'uac', `${HOST}:${port}`, ...from, ...load, ...report], {
    cwd: folder,
    stdio: 'ignore',
  });
  const limit = systemClock.after(ROUND_LIMIT_MS, () => caller.kill('SIGKILL'));
  await once(caller, 'exit');
  limit.cancel();
  return lastLine(await readFile(statistics, 'utf8'), calls);
}

/** The cumulative counts of the last line of SIPp's statistics; what it does not count as a success is a failure. */
function lastLine(csv: string, calls: number): Placed {
  const lines = csv.trim().split('\n');
  const names = (lines[0] ?? '').split(';');
  const last = (lines.at(-1) ?? '').split(';');
  const count = (name: string): number => Number(last[names.indexOf(name)]);
  return { failed: calls - count('SuccessfulCall(C)'), retransmitted: count('Retransmissions(C)') };
}
