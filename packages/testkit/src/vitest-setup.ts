/**
 * One Postgres for a whole vitest run: started before the first test, with a migrated template that every test file
 * clones, and stopped after the last. It cannot outlive vitest; folders of killed runs are removed here.
 */
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { memoryFolder } from './memory-folder.ts';
import { startTestPostgres, type TestPostgres } from './test-postgres.ts';

const FOLDER = /^parley-test-(\d+)$/;
/** Chosen once, because the free space changes during a run. */
const BASE = memoryFolder();

let shared: { postgres: Promise<TestPostgres>; users: number } | undefined;

/** Called by vitest once for every project of the run; they share one Postgres. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared ??= { postgres: startTestPostgres(makeRunFolder()), users: 0 };
  shared.users++;
  project.provide('postgresUrl', (await shared.postgres).url);
  return teardown;
}

async function teardown(): Promise<void> {
  if (!shared || --shared.users > 0) return;
  await (await shared.postgres).stop();
  rmSync(runFolder(process.pid), { recursive: true, force: true });
}

function makeRunFolder(): string {
  sweepStaleFolders();
  const folder = runFolder(process.pid);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  // Postgres may run under another account, which needs access.
  chmodSync(folder, 0o755);
  return folder;
}

function runFolder(pid: number): string {
  return join(BASE, `parley-test-${pid}`);
}

function sweepStaleFolders(): void {
  for (const name of readdirSync(BASE)) {
    const pid = Number(FOLDER.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(runFolder(pid), { recursive: true, force: true, maxRetries: 3 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
