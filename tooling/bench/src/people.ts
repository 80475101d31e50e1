/**
 * `npm run bench:people`: calls with the behaviour of ordinary people, over real SIP and RTP. The voice process is real; the
 * model and the voice are simulated with fixed delays. In half of the calls the built-in recogniser transcribes, in the
 * other half a simulated streaming one. Prints the turns that were not
 * answered within 4 s, silence of more than 4 s, and holes in the assistant's speech. 40 calls; `-- --calls 200`. The seed of
 * a run is printed, and `-- --seed N` repeats its plans. Exit code 1 when a turn was not answered, a line was silent, or a call
 * ended before its person had finished.
 */
import { seededRandom } from '@parley/phones';
import { answersOf, deadAirOf, holesOf, type PersonsCall } from './people-figures.rules.ts';
import { Person } from './people-person.ts';
import { planCall } from './people-plan.rules.ts';
import { printPeople, type PeopleFigures } from './people-print.ts';
import { makeWords, type Words } from './people-words.ts';
import { Callers } from './talk-callers.ts';
import { CHARACTER_MS, PEOPLE_REPLY, RE_ENGAGEMENT_MS, type RecogniserKind } from './talk-script.rules.ts';
import { openTalkTestbed, type TalkTestbed } from './talk-testbed.ts';

const CALLS_AT_ONCE = 10;
const EXPECTED_MS = PEOPLE_REPLY.length * CHARACTER_MS;

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a whole number from 1`);
  return value;
}

/** Progress goes to stderr: stdout ends with JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Some calls at once, until all persons have carried out their plans. */
async function runCalls(
  testbed: TalkTestbed,
  words: readonly Words[],
  numbers: { seed: number; count: number },
) {
  const { seed, count } = numbers;
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
  const callers = new Callers({ sql: testbed.installation.sql, sipPort: testbed.sipPort, newCaller });
  const calls: PersonsCall[] = [];
  await callers.start();
  try {
    while (calls.length < count) {
      const now = Math.min(CALLS_AT_ONCE, count - calls.length);
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

async function measure(recogniser: RecogniserKind, seed: number, count: number): Promise<PeopleFigures> {
  const words = await makeWords();
  const testbed = await openTalkTestbed(recogniser);
  try {
    const calls = await runCalls(testbed, words, { seed, count });
    return {
      recogniser,
      seed,
      calls: calls.length,
      cutOff: calls.filter(({ wasCutOff }) => wasCutOff).map(({ number }) => number),
      answers: calls.flatMap(answersOf),
      deadAir: calls.flatMap((call) => deadAirOf(call, RE_ENGAGEMENT_MS)),
      holesMs: calls.flatMap(holesOf),
    };
  } finally {
    await testbed.leave();
  }
}

const seed = option('--seed', Date.now() % 1_000_000);
const count = option('--calls', 40);
const results: PeopleFigures[] = [];
for (const recogniser of ['built-in', 'words'] as const) {
  say(`${recogniser}...`);
  const figures = await measure(recogniser, seed, Math.ceil(count / 2));
  printPeople(figures);
  results.push(figures);
}
const isSpoilt = ({ answers, deadAir, cutOff }: PeopleFigures): boolean =>
  answers.length === 0 ||
  answers.some(({ latencyMs }) => latencyMs === null) ||
  deadAir.length + cutOff.length > 0;
process.stdout.write(`${JSON.stringify(results)}\n`);
process.exitCode = results.some(isSpoilt) ? 1 : 0;
