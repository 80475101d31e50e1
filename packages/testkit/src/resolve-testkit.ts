/**
 * Loaded into each test process, in which Node itself loads the modules. No package depends on testkit, or it would be a
 * cycle, so that its imports are resolved here. What was compiled is kept for the next process.
 */
import { enableCompileCache, registerHooks } from 'node:module';

const TESTKIT = new URL('index.ts', import.meta.url).href;

enableCompileCache();
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@parley/testkit' ? { url: TESTKIT, shortCircuit: true } : next(specifier, context),
});
