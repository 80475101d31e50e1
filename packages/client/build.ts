/**
 * Builds the package for publication in `dist`: JavaScript and types of the client and the contract, the examples as
 * JavaScript, and a package.json without references to this workspace. Publish it with `npm publish packages/client/dist`.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const dist = join(here, 'dist');
const compiler = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
  'package.json',
  'bin/tsc',
);

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  [field: string]: unknown;
}

await rm(dist, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' });
await nameContractsByPath(join(dist, 'client', 'src'));
await replaceTypesOfTsRest();
await writeExamples();
await writeManifest();
await copyFile(join(here, 'README.md'), join(dist, 'README.md'));
await copyFile(join(here, '..', '..', 'LICENSE'), join(dist, 'LICENSE'));

/** In the published package the contract is a folder, not a package. */
async function nameContractsByPath(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(/(['"])@parley\/contracts\1/g, "'../../contracts/src/index.js'"));
  }
}

/** `ts-rest.d.ts` says why. */
async function replaceTypesOfTsRest(): Promise<void> {
  await copyFile(join(here, 'ts-rest.d.ts'), join(dist, 'contracts', 'src', 'ts-rest.d.ts'));
  for (const folder of ['client', 'contracts'])
    for (const name of await readdir(join(dist, folder, 'src'))) {
      if (!name.endsWith('.d.ts')) continue;
      const file = join(dist, folder, 'src', name);
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll(/(['"])@ts-rest\/core\1/g, "'../../contracts/src/ts-rest.js'"));
    }
}

/** As JavaScript, because Node 20 does not run TypeScript. */
async function writeExamples(): Promise<void> {
  await mkdir(join(dist, 'examples'));
  for (const name of await readdir(join(here, 'examples'))) {
    const text = stripTypeScriptTypes(await readFile(join(here, 'examples', name), 'utf8'));
    const compiled = name.replace(/\.ts$/, '.js');
    await writeFile(
      join(dist, 'examples', compiled),
      text.replaceAll(name, compiled).replaceAll(/ +$/gm, ''),
    );
  }
}

async function writeManifest(): Promise<void> {
  const { name, version, description, license, type, dependencies } = JSON.parse(
    await readFile(join(here, 'package.json'), 'utf8'),
  ) as Manifest;
  const published = Object.entries(dependencies).filter(([, range]) => !range.startsWith('workspace:'));
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    sideEffects: false,
    exports: { '.': { types: './client/src/index.d.ts', default: './client/src/index.js' } },
    // The first version with `ReadableStream.from`.
    engines: { node: '>=20.6' },
    dependencies: Object.fromEntries(published),
  };
  await writeFile(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
