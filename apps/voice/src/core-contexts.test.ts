import { silentLog } from '@parley/runtime';
import { useTestDatabase } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { CONNECTIONS, openCoreContexts } from './core-contexts.ts';
import { readSettings } from './settings.ts';

const database = useTestDatabase();

test('a lease does not wait for the connections of calls', async () => {
  const settings = readSettings({
    DATABASE_URL: database.url,
    SECRET_KEY: 'the secret key of the tests, 32 characters',
    INTERNAL_SECRET: 'the shared secret of the tests of a voice process',
  });
  const { core, leases, close } = openCoreContexts(settings, silentLog);
  onTestFinished(close);
  const end = Promise.withResolvers<void>();
  const begun = Array.from({ length: CONNECTIONS }, () => Promise.withResolvers<void>());
  const busy = begun.map(({ resolve }) =>
    core.db.transaction(async () => {
      resolve();
      await end.promise;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  await expect(leases.db.ping()).resolves.toBeUndefined();
  end.resolve();
  await Promise.all(busy);
});
