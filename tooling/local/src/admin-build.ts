/** Builds the admin app when its sources have changed since the last build, in some seconds; otherwise does nothing. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repository } from './settings.ts';

const ADMIN = join(repository, 'apps', 'admin');
const BUILT = join(ADMIN, 'dist');
const STAMP = '.built-from';

/** The inputs of the build. */
const SOURCES = [
  'apps/admin/src',
  'apps/admin/public',
  'apps/admin/index.html',
  'apps/admin/vite.config.ts',
  'apps/admin/build-compressed.ts',
  'apps/admin/build-first-load.ts',
  'apps/admin/build-preloads.ts',
  'apps/admin/build-widget.ts',
  'apps/admin/package.json',
  'packages/contracts/package.json',
  'packages/contracts/src',
  'pnpm-lock.yaml',
];

/**
 * Builds in another folder and renames it at the end, so that the api never serves an incomplete build.
 *
 * @throws Error with the output of the build tool
 */
export async function buildAdminIfStale(): Promise<{ wasBuilt: boolean }> {
  const fingerprint = fingerprintOf(SOURCES.map((path) => join(repository, path)));
  if (readStamp() === fingerprint) return { wasBuilt: false };
  const unfinished = join(ADMIN, 'node_modules', `.build-${process.pid}`);
  await runVite(unfinished);
  writeFileSync(join(unfinished, STAMP), fingerprint);
  putInPlace(unfinished, BUILT);
  return { wasBuilt: true };
}

/** Replaces a folder. Another process may do the same: a folder that it has put there meanwhile is replaced as well. */
export function putInPlace(folder: string, place: string): void {
  for (;;) {
    try {
      return renameSync(folder, place);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOTEMPTY', 'EEXIST'].includes(code) || !existsSync(place)) throw error;
      rmSync(place, { recursive: true, force: true });
    }
  }
}

function readStamp(): string | null {
  const path = join(BUILT, STAMP);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

async function runVite(outDir: string): Promise<void> {
  const vite = join(ADMIN, 'node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(
    process.execPath,
    [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: ADMIN,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [said, complained, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (exitCode !== 0) throw new Error(`The admin app could not be built:\n${said}${complained}`);
}

/** A hash over the names and contents of all files below some paths. */
export function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow)) hash.update(path).update('\0').update(readFileSync(path));
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readDirectory(path);
  if (entries === null) return [path];
  return entries.flatMap((name) => filesBelow(join(path, name)));
}

/** Names in a fixed order, or null for a file. */
function readDirectory(path: string): string[] | null {
  try {
    return readdirSync(path).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}
