import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const here = fileURLToPath(new URL('..', import.meta.url));
const dist = join(here, 'dist');
/** The compiler writes about seventy files. */
const COMPILE_LIMIT_MS = 180_000;

test(
  'the published package is self-contained: JavaScript, types, no package of this workspace',
  async () => {
    await run(process.execPath, [join(here, 'build.ts')]);
    const { dependencies, exports } = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      exports: Record<string, Record<string, string>>;
    };
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@parley/'))).toEqual([]);
    const files = await readdir(dist, { recursive: true });
    expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name)))
      expect(await readFile(join(dist, file), 'utf8'), file).not.toMatch(/from ['"]@parley\//);
    expect(files).toContain(join('client', 'src', 'index.d.ts'));

    const entry = join(dist, exports['.']?.['default'] ?? '');
    const script = `const { createParleyClient } = await import(${JSON.stringify(entry)});
      const parley = createParleyClient({ baseUrl: 'http://x', token: 't', fetch: async () => new Response('{"name":"Ada"}') });
      process.stdout.write((await parley.users.me()).body.name);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('Ada');
  },
  COMPILE_LIMIT_MS,
);
