/**
 * `npm run bench:talk`: latency and cost of conversations, from both audio tracks of real calls over SIP and RTP. The voice
 * process is real, the providers are simulated with fixed delays, the callers run in this process. By default a few calls
 * of each kind; with `--full` longer runs, up to 200 concurrent calls and a thousand in a row. Exit code 1 when a goal is
 * missed. `--only one,fifty` selects parts. docs/measurements.md explains the figures.
 */
import { seededRandom } from '@parley/phones';
import { Caller } from './talk-caller.ts';
import { Callers, type NewCaller } from './talk-callers.ts';
import { figuresOf, type TalkFigures } from './talk-figures.rules.ts';
import { missedByGrowth, missedByRelay, missedByWeb, missedGoals } from './talk-goals.rules.ts';
import { openTalkTestbed, type TalkTestbed } from './talk-testbed.ts';
import { measureCalled, measureDisturbed, measureGrowth, measureMost } from './talk-parts.ts';
import { makePhrase, type Phrase } from './talk-phrase.ts';
import { printRound, printWeb } from './talk-print.ts';
import { measureRelay } from './talk-relay.ts';
import { runRound, type RoundPlan } from './talk-round.ts';
import { measureWeb, type WebFigures } from './talk-web.ts';

/** All figures of a run; parts that did not run are absent. */
interface TalkResults {
  rounds: Record<string, TalkFigures>;
  /** P9, megabytes. */
  growthPerThousand?: number;
  /** P8, the relay in C; microseconds per packet. */
  relayMicros?: number | null;
  /** The most concurrent calls that meet P1 and P7. */
  mostCalls?: number;
  /** P22. */
  web?: WebFigures;
}

type Roles = RoundPlan['roles'];
type Part = (testbed: TalkTestbed, callers: Callers, results: TalkResults, phrase: Phrase) => Promise<void>;

const SEED = 20_261_121;
const isFull = process.argv.includes('--full');
const talkers = (count: number): Roles => Array.from({ length: count }, () => 'talker' as const);
const KINDS: Roles = [
  'lossy',
  'interrupter',
  'waiter',
  'lossy',
  'interrupter',
  'waiter',
  'lossy',
  'interrupter',
  'lossy',
  'lossy',
];

/** Several rounds with the same plan, because the offset of a call within a frame is random and constant. */
function rounds(title: string, times: number, plan: RoundPlan): Part {
  return async (testbed, callers, results) => {
    const done = [];
    for (let time = 0; time < times; time++) done.push(await runRound(testbed, callers, plan));
    results.rounds[title] = figuresOf(done);
  };
}

/** The parts, by their names in `--only`. */
const PARTS: Record<string, Part> = {
  one: rounds('one call', isFull ? 12 : 3, { roles: talkers(1), talkMs: isFull ? 20_000 : 8_000 }),
  kinds: rounds('10 calls of all kinds', 1, { roles: KINDS, talkMs: isFull ? 90_000 : 15_000 }),
  called: async (testbed, callers, results) => {
    results.rounds['called'] = await measureCalled(testbed, callers, isFull ? 50 : 5);
  },
  fifty: rounds('50 calls', 1, { roles: talkers(50), talkMs: isFull ? 60_000 : 10_000 }),
  hundred: async (testbed, callers, results) => {
    const plan = { roles: talkers(100), talkMs: isFull ? 45_000 : 8_000 };
    results.rounds['100 calls, API load, JSON'] = await measureDisturbed(testbed, callers, plan);
  },
  web: async (testbed, _callers, results, phrase) => {
    let count = 0;
    const newCaller = (): Caller =>
      new Caller({ role: 'talker', phrase, random: seededRandom(`web ${count++}`, SEED) });
    const plan = isFull ? { calls: 10, talkMs: 30_000 } : { calls: 5, talkMs: 10_000 };
    results.web = await measureWeb(testbed, newCaller, plan);
  },
  relay: async (_ground, _callers, results) => {
    results.relayMicros = await measureRelay({ calls: 50, talkMs: isFull ? 20_000 : 3_000 });
  },
  ladder: async (testbed, callers, results, phrase) => {
    for (const count of [10, 50, 100, 200])
      await rounds(`${count} calls, undisturbed`, 1, { roles: talkers(count), talkMs: 30_000 })(
        testbed,
        callers,
        results,
        phrase,
      );
  },
  most: async (testbed, callers, results) => {
    results.mostCalls = await measureMost(testbed, callers);
  },
  growth: async (testbed, callers, results) => {
    results.growthPerThousand = await measureGrowth(testbed, callers, 1_000);
  },
};
const QUICK = ['one', 'kinds', 'called', 'fifty', 'hundred', 'web', 'relay'];

const write = (line: string): void => void process.stdout.write(`${line}\n`);
/** Progress goes to stderr: stdout ends with JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

function chosenParts(): string[] {
  const at = process.argv.indexOf('--only');
  const usual = isFull ? Object.keys(PARTS) : QUICK;
  const names = at < 0 ? usual : (process.argv[at + 1] ?? '').split(',');
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown === undefined) return names;
  throw new Error(`There is no part "${unknown}". Known: ${Object.keys(PARTS).join(', ')}`);
}

async function measure(names: readonly string[]): Promise<TalkResults> {
  const phrase = await makePhrase();
  const testbed = await openTalkTestbed();
  const newCaller: NewCaller = (role, number) =>
    new Caller({ role, phrase, random: seededRandom(number, SEED) });
  const callers = new Callers({ sql: testbed.installation.sql, sipPort: testbed.sipPort, newCaller });
  const results: TalkResults = { rounds: {} };
  try {
    await callers.start();
    // The first round warms up the process: code is compiled and memory grows.
    await runRound(testbed, callers, { roles: talkers(4), talkMs: 3_000 });
    for (const name of names) {
      say(`${name}...`);
      const known = new Set(Object.keys(results.rounds));
      await PARTS[name]?.(testbed, callers, results, phrase);
      // Printed immediately, so that a part that fails later does not lose these figures.
      printNew(results, known);
    }
    return results;
  } finally {
    await callers.stop();
    await testbed.leave();
  }
}

function printNew({ rounds: measured }: TalkResults, known: ReadonlySet<string>): void {
  for (const [title, figures] of Object.entries(measured)) if (!known.has(title)) printRound(title, figures);
}

function missed({ rounds: measured, relayMicros, growthPerThousand, web }: TalkResults): string[] {
  const packetMicros = measured['50 calls']?.packetMicros;
  return [
    ...Object.values(measured).flatMap(missedGoals),
    ...(packetMicros && relayMicros ? missedByRelay(packetMicros, relayMicros) : []),
    ...(growthPerThousand === undefined ? [] : missedByGrowth(growthPerThousand)),
    ...(web ? missedByWeb(web) : []),
  ];
}

const results = await measure(chosenParts());
if (results.relayMicros) write(`\nP8 a packet through a relay in C: ${results.relayMicros.toFixed(1)} us`);
if (results.relayMicros === null) write('\nP8 without a C compiler there is no relay to compare with');
if (results.web) printWeb(results.web);
if (results.mostCalls !== undefined) write(`Most calls that hold P1 and P7: ${results.mostCalls}`);
if (results.growthPerThousand !== undefined)
  write(`P9 growth per 1,000 finished calls: ${results.growthPerThousand.toFixed(1)} MB`);
const faults = missed(results);
if (faults.length > 0) write(`\nMissed:\n${faults.join('\n')}`);
write(JSON.stringify({ ...results, missed: faults }));
process.exitCode = faults.length > 0 ? 1 : 0;
