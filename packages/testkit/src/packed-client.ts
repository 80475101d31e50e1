/** The published client as its users have it: packed by npm, in a project outside of this workspace, in any version of Node. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const client = fileURLToPath(new URL('../../client', import.meta.url));

/**
 * Builds the package, packs it, and installs it in `project`, a new folder.
 *
 * @returns the files of the package
 */
export async function installPackedClient(project: string): Promise<string[]> {
  await run(process.execPath, [join(client, 'build.ts')]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: join(client, 'dist'),
  });
  const [pack] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const installed = join(project, 'node_modules/@parley/client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['xzf', join(project, pack.filename), '-C', installed, '--strip-components=1']);
  const manifest = await readFile(join(installed, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  for (const name of Object.keys(dependencies)) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(client, 'node_modules', name), link);
  }
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  return pack.files.map(({ path }) => path);
}

/**
 * Runs a program in a version of Node, which `npx` downloads unless it is the one that runs the tests.
 *
 * @returns what it has printed
 */
export async function runInNode(version: string, script: string, words: string[] = []): Promise<string> {
  const download = [
    '--yes',
    '--prefer-offline',
    `--package=node-${process.platform}-${process.arch}@${version}`,
  ];
  const { stdout } =
    version === process.versions.node
      ? await run(process.execPath, [script, ...words])
      : await run('npx', [...download, '--', 'node', script, ...words]);
  return stdout.trim();
}
