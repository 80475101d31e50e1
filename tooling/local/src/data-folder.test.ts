import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  findRunning,
  makeDataFolder,
  readSecrets,
  removeRuntimeInformation,
  writeRuntimeInformation,
} from './data-folder.ts';
import { readSettings } from './settings.ts';

const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

function setup(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-data-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  const settings = readSettings({ DATA_DIR: dataDir, ...environment });
  makeDataFolder(dataDir);
  return { dataDir, settings };
}

const RUNNING = { url: 'http://127.0.0.1:3000', environment: {} };

test('secrets are generated once; they are long, different, and readable by their owner only', () => {
  const { dataDir, settings } = setup();
  const first = readSecrets(settings);
  expect(readSecrets(settings)).toEqual(first);
  expect(new Set(Object.values(first)).size).toBe(3);
  for (const value of Object.values(first)) expect(value.length).toBeGreaterThanOrEqual(32);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('a secret of the environment takes precedence and is not stored', () => {
  const given = 'g'.repeat(40);
  const { dataDir, settings } = setup({ SECRET_KEY: given });
  expect(readSecrets(settings).SECRET_KEY).toBe(given);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(given);
});

test('other accounts may traverse a new folder but not read it', () => {
  const { dataDir } = setup();
  expect(statSync(dataDir).mode & 0o777).toBe(0o711);
  expect(statSync(join(dataDir, 'recordings')).mode & 0o777).toBe(0o700);
});

test('an existing folder keeps its mode', () => {
  const { dataDir } = setup();
  rmSync(dataDir, { recursive: true });
  makeDataFolder(dataDir);
  writeFileSync(join(dataDir, 'kept'), '');
  const before = statSync(dataDir).mode;
  makeDataFolder(dataDir);
  expect(statSync(dataDir).mode).toBe(before);
});

test('an installation that no longer runs is not found', () => {
  const { dataDir } = setup();
  expect(findRunning(dataDir)).toBeNull();
  writeRuntimeInformation(dataDir, { ...RUNNING, processes: { supervisor: 2 ** 22 + 1 } });
  expect(findRunning(dataDir)).toBeNull();
});

test.runIf(process.platform === 'linux')(
  'a process id that belongs to another program is not a supervisor',
  () => {
    const { dataDir } = setup();
    writeRuntimeInformation(dataDir, { ...RUNNING, processes: { supervisor: process.pid } });
    expect(findRunning(dataDir)).toBeNull();
    removeRuntimeInformation(dataDir);
  },
);
