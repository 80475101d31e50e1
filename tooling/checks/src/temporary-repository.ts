/** A small git repository in a temporary folder, in which a test runs a checker as `npm run check` does. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a checker printed and how it ended. */
export interface CheckerRun {
  exitCode: number | null;
  output: string;
}

/**
 * @param checker the checker's file name in this folder
 * @param files path → content
 */
export function runChecker(checker: string, files: Readonly<Record<string, string>>): CheckerRun {
  const root = mkdtempSync(join(tmpdir(), 'parley-checks-'));
  try {
    execFileSync('git', ['init', '--quiet', root]);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const program = fileURLToPath(new URL(checker, import.meta.url));
    const run = spawnSync(process.execPath, [program], { cwd: root, encoding: 'utf8' });
    return { exitCode: run.status, output: `${run.stdout}${run.stderr}` };
  } finally {
    rmSync(root, { recursive: true });
  }
}
