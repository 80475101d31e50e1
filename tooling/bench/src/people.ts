/**
 * `npm run bench:people`: calls with the behaviour of ordinary people, over real SIP and RTP. The voice process is real; the
 * model and the voice are simulated with fixed delays. In half of the calls the built-in recogniser transcribes, in the
 * other half a simulated streaming one. Prints the turns that were not
 * answered within 4 s, silence of more than 4 s, and holes in the assistant's speech. 40 calls; `-- --calls 200`. The seed of
 * a run is printed, and `-- --seed N` repeats its plans; `-- --only-call 12` repeats one call of them, and `-- --at-once 2` holds
 * fewer than 10 calls at once. Exit code 1 when a turn was not answered, a line was silent, or a call
 * ended before its person had finished.
 */
import { seededRandom } from '@parley/phones';
import { answersOf, deadAirOf, holesOf, type PersonsCall } from './people-figures.ts';
import { Person } from './people-person.ts';
import { planCall } from '@parley/testkit';
import { printPeople, type PeopleFigures } from './people-print.ts';
import { makeWords, type Words } from './people-words.ts';
import { Callers } from './talk-callers.ts';
import { CHARACTER_MS, PEOPLE_REPLY, RE_ENGAGEMENT_MS, type RecogniserKind } from './talk-script.rules.ts';
import { openTalkTestbed, type TalkTestbed } from './talk-testbed.ts';

const EXPECTED_MS = PEOPLE_REPLY.length * CHARACTER_MS;

function option<None>(name: string, otherwise: None, least = 1): number | None {
  const at = process.argv.indexOf(name);
  if (at < 0) return otherwise;
  const value = Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} must be a whole number from ${least}`);
  return value;
}

/** Progress goes to stderr: stdout ends with JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Which calls of a seed. */
interface Run {
  seed: number;
  /** The number of the first call; calls are counted from 0. */
  first: number;
  count: number;
  atOnce: number;
}

/** Some calls at once, until all persons have carried out their plans. */
async function runCalls(testbed: TalkTestbed, words: readonly Words[], { seed, first, count, atOnce }: Run) {
  const persons = new Map<string, Person>();
  const done: Promise<void>[] = [];
  const newCaller = (_role: unknown, number: string): Person => {
    const random = seededRandom(number, seed);
    const [own, other] = [Math.floor(random() * words.length), Math.floor(random() * (words.length - 1))];
    const { promise, resolve } = Promise.withResolvers<void>();
    done.push(promise);
    const person = new Person({
      plan: planCall(random),
      words: at(words, own),
      background: at(words, (own + 1 + other) % words.length),
      expectedMs: EXPECTED_MS,
      onDone: resolve,
    });
    persons.set(number, person);
    return person;
  };
  const callers = new Callers({ sql: testbed.installation.sql, sipPort: testbed.sipPort, newCaller, first });
  const calls: PersonsCall[] = [];
  await callers.start();
  try {
    while (calls.length < count) {
      const now = Math.min(atOnce, count - calls.length);
      await callers.call(Array.from({ length: now }, () => 'person' as const));
      await Promise.all(done);
      for (const { number, tracks, stored } of await callers.hangUp())
        calls.push({
          number,
          ...tracks,
          ...storyOf(persons, number),
          botTurnsMs: stored.flatMap(({ sender, startMs }) => (sender === 'bot' ? [startMs] : [])),
        });
      say(`${calls.length} of ${count} calls`);
    }
    return calls;
  } finally {
    await callers.stop();
  }
}

function storyOf(persons: ReadonlyMap<string, Person>, number: string): ReturnType<Person['story']> {
  const person = persons.get(number);
  if (!person) throw new Error(`No person has the number ${number}`);
  return person.story();
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error('There are too few voices');
  return item;
}

async function measure(recogniser: RecogniserKind, run: Run): Promise<PeopleFigures> {
  const words = await makeWords();
  const testbed = await openTalkTestbed(recogniser);
  try {
    const calls = await runCalls(testbed, words, run);
    return {
      recogniser,
      seed: run.seed,
      calls: calls.length,
      cutOff: calls.filter(({ wasCutOff }) => wasCutOff).map(({ number }) => number),
      answers: calls.flatMap(answersOf),
      deadAir: calls.flatMap((call) => deadAirOf(call, RE_ENGAGEMENT_MS)),
      backchannels: calls.flatMap(holesOf),
    };
  } finally {
    await testbed.leave();
  }
}

const seed = option('--seed', Date.now() % 1_000_000);
const only = option('--only-call', null, 0);
const run: Run = {
  seed,
  first: only ?? 0,
  count: only === null ? Math.ceil(option('--calls', 40) / 2) : 1,
  atOnce: option('--at-once', 10),
};
const results: PeopleFigures[] = [];
for (const recogniser of ['built-in', 'words'] as const) {
  say(`${recogniser}...`);
  const figures = await measure(recogniser, run);
  printPeople(figures);
  results.push(figures);
}
const isSpoilt = ({ answers, deadAir, cutOff }: PeopleFigures): boolean =>
  answers.length === 0 ||
  answers.some(({ latencyMs }) => latencyMs === null) ||
  deadAir.length + cutOff.length > 0;
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exitCode = results.some(isSpoilt) ? 1 : 0;
