// The one entry of every npm script of the root. It runs on whatever Node the machine has (20 or newer),
// installs what is missing, and hands over to the pinned Node 24 from the optional dependencies.
// No dependency may be imported here: on a fresh machine there is none yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PNPM = 'pnpm@12.21.0';
const STAMP = join(root, 'node_modules', '.parley-install');
/** Compiled code is kept for every process of every command, which halves the time that a process takes to start. */
const COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compiled');

/** The script that each command runs under the pinned Node. */
const COMMANDS = {
  start: 'tooling/local/src/main.ts',
  migrate: 'tooling/local/src/migrate.ts',
  api: 'apps/api/src/main.ts',
  worker: 'apps/worker/src/main.ts',
  voice: 'apps/voice/src/main.ts',
  phones: 'tooling/phones/src/main.ts',
  cli: 'apps/cli/src/main.ts',
  test: 'tooling/checks/src/test.ts',
  'test:long': 'tooling/checks/src/test-long.ts',
  'test:random': 'tooling/checks/src/test-random.ts',
  check: 'tooling/checks/src/check.ts',
  fix: 'tooling/checks/src/fix.ts',
  mutants: 'tooling/mutants/src/main.ts',
  chaos: 'tooling/chaos/src/main.ts',
  shots: 'tooling/shots/src/main.ts',
  'bench:start': 'tooling/bench/src/start.ts',
  'bench:amd': 'tooling/bench/src/amd.ts',
  'bench:api': 'tooling/bench/src/api.ts',
  'bench:campaign': 'tooling/bench/src/campaign.ts',
  'bench:people': 'tooling/bench/src/people.ts',
  'bench:talk': 'tooling/bench/src/talk.ts',
  'bench:sip': 'tooling/bench/src/sip.ts',
  'bench:admin': 'tooling/bench/src/admin.ts',
  'bench:knowledge': 'tooling/bench/src/knowledge.ts',
  'bench:hostile': 'tooling/bench/src/hostile.ts',
};

/**
 * Size of the young generation in every process of an installation on one machine, megabytes. With the default of 16, each
 * process keeps 15 to 25 MB that only its start used, and such an installation has too few calls per process to need more.
 */
const SMALL_HEAPS = '--max-semi-space-size=2';

/** Everything whose change makes a new install necessary: the lock file and every package.json. */
function installFingerprint() {
  const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'];
  for (const group of ['apps', 'packages', 'tooling'])
    for (const name of readdirSync(join(root, group)).sort()) files.push(`${group}/${name}/package.json`);
  const hash = createHash('sha256');
  for (const file of files)
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function installIfNeeded() {
  const fingerprint = installFingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return;
  process.stderr.write('Installing dependencies (only when they have changed)...\n');
  // Output goes to stderr: stdout belongs to the command, which may print JSON.
  const install = spawnSync('npx', ['-y', PNPM, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    process.stderr.write('The installation failed; the lines above say why.\n');
    process.exit(install.status ?? 1);
  }
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, installFingerprint());
}

/** The pinned Node where its package exists for this platform, otherwise the host's own if it is new enough. */
function findNode() {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  process.stderr.write(
    `Parley needs Node 24, and npm has no build of it for ${process.platform}-${process.arch}. Install Node 24 and try again.\n`,
  );
  process.exit(1);
}

const [command = '', ...rest] = process.argv.slice(2);
const script = COMMANDS[command];
if (!script) {
  process.stderr.write(`Unknown command "${command}". Known: ${Object.keys(COMMANDS).join(', ')}\n`);
  process.exit(64);
}
installIfNeeded();
const node = findNode();
const child = spawn(node, [join(root, script), ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...process.env,
    ...(command === 'start' && { NODE_OPTIONS: `${SMALL_HEAPS} ${process.env.NODE_OPTIONS ?? ''}`.trim() }),
    PATH: `${dirname(node)}${delimiter}${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
    PARLEY_INVOKED_FROM: process.cwd(),
  },
});
// A terminal sends its signals to the whole group; a signal sent to this process alone is passed on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.on('SIGINT', () => {});
// npm started us through a shell, and neither passes a signal on: when they are gone, the command ends too.
if (process.env.npm_lifecycle_event) {
  const launcher = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
  watch.unref();
}
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
