import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { addToDoNotCallList } from '../do-not-call/do-not-call-list.ts';
import { changeNumberCountry, findNumberCountry } from './number-country.ts';

const database = useTestDatabase();

describe('the country of national numbers', () => {
  it('is set by the user and applies from the next number on', async () => {
    const { ctx } = makeContext(database.db);
    const user = await makeUser(ctx);
    const add = () => addToDoNotCallList(ctx, user, { phoneNumber: '030 1234567' });
    await expect(add()).rejects.toMatchObject({ kind: 'invalid' });
    await changeNumberCountry(ctx, user, 'de');
    const found = await findNumberCountry(ctx, user);
    expect(found.country).toBe('DE');
    expect(found.countries).toContain('AT');
    expect(await add()).toMatchObject({ phoneNumber: '+49301234567' });
    await changeNumberCountry(ctx, user, null);
    expect(await findNumberCountry(ctx, user)).toMatchObject({ country: null });
  });

  it('must be a country with phone numbers', async () => {
    const { ctx } = makeContext(database.db);
    const user = await makeUser(ctx);
    await expect(changeNumberCountry(ctx, user, 'XX')).rejects.toMatchObject({
      fields: { default_country: [expect.any(String)] },
    });
  });
});
