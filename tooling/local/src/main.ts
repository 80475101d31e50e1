/** `npm start`: a complete installation on one machine. `--no-self-check` omits the test call, `--verbose` shows more. */
import { join } from 'node:path';
import { EXIT_BAD_SETTINGS, SettingsError, pause, systemClock } from '@parley/runtime';
import { BOOKING_PHONE } from './test-phones.ts';
import { Installation, StartRefusedError, type StartReport } from './installation.ts';
import { LogFiles } from './log-files.ts';
import { createScreen, type Screen } from './screen.ts';
import { readSettings, type LocalSettings } from './settings.ts';
import { selfCheckWords, summary } from './summary.ts';

/** The number of the inbound demo assistant of a fresh installation (core, bootstrap-first-user.ts). */
const INBOUND_NUMBER = '+12025550101';
const LAUNCHER_CHECK_MS = 250;

const flags = new Set(process.argv.slice(2));

async function main(): Promise<number> {
  const settings = readSettings(process.env);
  const files = new LogFiles(join(settings.DATA_DIR, 'logs'));
  const hasColours = process.stdout.isTTY && !process.env['NO_COLOR'];
  const level = flags.has('--verbose') ? 'info' : 'warn';
  const screen = createScreen(files, { level, hasColours }, (text) => process.stdout.write(text));
  const installation = new Installation({ settings, environment: process.env, clock: systemClock, screen });
  const stopping = stopOnSignal(installation, screen);
  try {
    const report = await installation.start();
    await present(report, settings, screen);
    await selfCheck(report, settings, screen);
    await report.firstSteps.stop();
    await untilAborted(stopping);
    return 0;
  } catch (error) {
    if (stopping.aborted) return 0;
    if (!(error instanceof StartRefusedError)) throw error;
    screen.say(error.message);
    return error.exitCode;
  } finally {
    await installation.stop();
    files.close();
  }
}

/** The first Ctrl-C (SIGINT, SIGTERM or SIGHUP) begins a stop that waits for calls; the second one ends everything at once. */
function stopOnSignal(installation: Installation, screen: Screen): AbortSignal {
  const stopping = new AbortController();
  const reportFailure = (error: unknown): void => screen.say(`Stopping failed: ${String(error)}`);
  const onSignal = (): void => {
    if (stopping.signal.aborted) {
      screen.say('Stopping at once.');
      return installation.force();
    }
    screen.say('Stopping after the running calls. Press Ctrl-C again to stop at once.');
    stopping.abort();
    installation.stop().catch(reportFailure);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  if (process.env['PARLEY_INVOKED_FROM']) watchLauncher(stopping.signal, onSignal).catch(reportFailure);
  return stopping.signal;
}

/** Stops the installation if the process of npm is killed. */
async function watchLauncher(stopping: AbortSignal, onGone: () => void): Promise<void> {
  const launcher = process.ppid;
  while (process.ppid === launcher && !stopping.aborted)
    await pause(systemClock, LAUNCHER_CHECK_MS, stopping);
  if (!stopping.aborted) onGone();
}

async function present(report: StartReport, settings: LocalSettings, screen: Screen): Promise<void> {
  const { firstSteps, bootstrap, addresses } = report;
  const page = summary({
    settings,
    bootstrap,
    publicUrl: addresses.publicUrl,
    ...(await firstSteps.ask('introduce', {})),
    testPhone: BOOKING_PHONE,
    inboundNumber: INBOUND_NUMBER,
  });
  screen.say(page);
}

async function selfCheck(
  { firstSteps }: StartReport,
  settings: LocalSettings,
  screen: Screen,
): Promise<void> {
  if (!settings.PARLEY_SELF_CHECK || flags.has('--no-self-check')) return;
  screen.say(selfCheckWords(await firstSteps.ask('check', {})));
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

try {
  process.exit(await main());
} catch (error) {
  const isSettings = error instanceof SettingsError;
  process.stderr.write(
    `${isSettings ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(isSettings ? EXIT_BAD_SETTINGS : 1);
}
