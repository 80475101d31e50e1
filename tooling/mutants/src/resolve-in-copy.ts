/**
 * Loaded into each test process. The `node_modules` of Stryker's copy lead back to the packages of the repository; this
 * hook leads their imports into the copy, so that there is one instance of each package, and it is the changed one.
 */
import { registerHooks } from 'node:module';

const copy = new URL('../../../', import.meta.url).href;
const repository = process.env['PARLEY_MUTANT_REPOSITORY'] ?? copy;

function inCopy(url: string): string {
  const isOurs = url.startsWith(repository) && !url.startsWith(copy) && !url.includes('/node_modules/');
  return isOurs ? copy + url.slice(repository.length) : url;
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@parley/testkit')
      return { url: `${copy}packages/testkit/src/index.ts`, shortCircuit: true };
    const found = next(specifier, context);
    return { ...found, url: inCopy(found.url) };
  },
});
