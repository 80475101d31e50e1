/**
 * `npm run shots`: pictures of every page of the admin app, in two widths and both colour schemes, with data, empty and
 * broken, in the folder `screenshots/`. Starts its own installation and ends it. docs/architecture.md, "Pictures of the admin app", has the options.
 */
import { mkdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startInstallation } from '@parley/e2e';
import { launchBrowser } from '@parley/e2e/admin';
import { systemClock } from '@parley/runtime';
import { startWebhookReceiver } from '@parley/testkit';
import { seed } from './seed.ts';
import { createNewcomer, NO_ROWS, signIn } from './sessions.ts';
import { planShots, readShotOptions, shotName, type Shot, type ShotOptions } from './shot-plan.ts';
import { takeShots } from './take-shots.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
/** The first screen of a page, drawn smaller: 864 x 540 pixels. */
const DOCS_WINDOW = { width: 1440, height: 900, scale: 0.6 };
const MAX_DOCS_BYTES = 80_000;
const EXIT_USAGE = 2;
/** Three calls at once are read ten times a second, which is more than the default limit of requests of a token. */
const ENVIRONMENT = { WEBHOOK_ALLOW_PRIVATE: 'loopback', RATE_LIMIT: '100000' };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function readOptions(): ShotOptions {
  try {
    return readShotOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(EXIT_USAGE);
  }
}

/** The first signal ends the run after the picture or call at hand; what was started is ended as always. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => stop.abort(new Error(`Stopped by ${name}.`)));
  return stop.signal;
}

/** @returns what is wrong with the pictures, a line for each */
async function takeAll(shots: readonly Shot[], isForDocs: boolean, folder: string): Promise<string[]> {
  const signal = stopSignal();
  await using started = new AsyncDisposableStack();
  say('Starting an installation.');
  const installation = started.adopt(await startInstallation({ environment: ENVIRONMENT }), (one) =>
    one.stop(),
  );
  const receiver = started.adopt(await startWebhookReceiver(), (one) => one.close());
  const browser = started.adopt(await launchBrowser(), (one) => one.close());
  const faults: string[] = [];
  let taken = 0;
  const onShot = (shot: Shot, fault: string | null): void => {
    taken += 1;
    if (fault !== null) faults.push(`${shotName(shot)}: ${fault}`);
    say(`[${taken}/${shots.length}] ${shotName(shot)}${fault === null ? '' : `: ${fault}`}`);
  };
  const run = { browser, folder, signal, onShot, ...(isForDocs && { window: DOCS_WINDOW }) };
  const { baseUrl } = installation;
  const [empty = [], others = []] = [true, false].map((isEmpty) =>
    shots.filter(({ state }) => (state === 'empty') === isEmpty),
  );
  // Providers belong to all users, so that the empty pages come before there are any.
  if (empty.length > 0) {
    const session = await signIn(browser, installation, await createNewcomer(installation));
    await takeShots({ ...run, place: { baseUrl, rows: NO_ROWS }, session }, empty);
  }
  signal.throwIfAborted();
  if (others.length > 0) {
    const rows = await seed({ installation, receiver, signal, say });
    const session = await signIn(browser, installation, installation);
    await takeShots({ ...run, place: { baseUrl, rows }, session }, others);
  }
  signal.throwIfAborted();
  return faults;
}

/** @returns a line for each picture that is too large for the README */
async function tooLarge(shots: readonly Shot[], folder: string): Promise<string[]> {
  const faults: string[] = [];
  for (const name of shots.map(shotName)) {
    const { size } = await stat(join(folder, name));
    if (size > MAX_DOCS_BYTES) faults.push(`${name}: ${size} bytes, more than ${MAX_DOCS_BYTES}`);
  }
  return faults;
}

const startedMs = systemClock.monotonic();
const options = readOptions();
const shots = planShots(options);
const folder = join(repository, options.isForDocs ? 'docs/screenshots' : 'screenshots');
await mkdir(folder, { recursive: true });
const faults = await takeAll(shots, options.isForDocs, folder).catch((error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
if (options.isForDocs) faults.push(...(await tooLarge(shots, folder)));
const seconds = Math.round((systemClock.monotonic() - startedMs) / 1000);
say(
  `${shots.length} pictures in ${relative(repository, folder)}/ after ${seconds} s, ${faults.length} with faults.`,
);
for (const fault of faults) say(`  ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
