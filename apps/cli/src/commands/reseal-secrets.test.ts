import { expect, test } from 'vitest';
import { useServer } from '../../test/installation.ts';
import { openTerminal } from '../../test/terminal.ts';

const server = useServer();
const NEW_KEY = 'another key of at least thirty-two characters';

test('the secret key is changed: secrets are sealed again, and the former key is no longer needed', async () => {
  const { serverEnvironment } = server;
  const environment = { ...serverEnvironment, SECRET_KEY: NEW_KEY };
  const withoutFormer = await openTerminal(environment).run('reseal-secrets');
  expect(withoutFormer).toMatchObject({ exitCode: 78, out: '' });
  expect(withoutFormer.err).toContain('Set OTHER_SECRET_KEYS to the previous key');
  const both = openTerminal({ ...environment, OTHER_SECRET_KEYS: serverEnvironment['SECRET_KEY'] });
  expect((await both.run('reseal-secrets')).out).toMatch(
    /^[1-9]\d* rows? w\w+ sealed with the current SECRET_KEY\.\nThe previous key is no longer needed: /,
  );
  const json = await openTerminal(environment).run('reseal-secrets', '--json');
  expect(JSON.parse(json.out)).toEqual({ changed: 0, calls_with_other_keys: 0 });
});
