import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { authenticateToken } from './authenticate-token.ts';
import { createToken, type CreateTokenInput } from './create-token.ts';

const database = useTestDatabase();

async function setup(input: Partial<CreateTokenInput> = {}) {
  const { ctx, clock } = makeContext(database.db);
  const identity = await makeUser(ctx);
  const { id, token } = await createToken(ctx, { userId: identity.userId, name: 'Test', ...input });
  return { ctx, clock, identity, id, token };
}

const lastUsed = statement<{ lastUsedAt: Date | null }>(
  '',
  'select last_used_at from api_tokens where id = $1',
);

describe('a token', () => {
  it('tells whose it is', async () => {
    const { ctx, identity, id, token } = await setup();
    expect(await authenticateToken(ctx, token)).toEqual({
      ...identity,
      tokenId: id,
      requiresConfirmation: false,
      scopes: 'all',
      allowedNumbers: null,
    });
  });

  it('carries its scopes', async () => {
    const { ctx, token } = await setup({ scopes: ['read', 'call'] });
    expect((await authenticateToken(ctx, token))?.scopes).toEqual(['read', 'call']);
  });

  it('is not stored', async () => {
    const { ctx, token } = await setup();
    const row = statement<Record<string, unknown>>('', 'select * from api_tokens');
    const stored = JSON.stringify(await ctx.db.query(row));
    expect(stored).not.toContain(token.slice(20));
  });

  it('opens nothing after its expiry or revocation', async () => {
    const { ctx, clock, id, token } = await setup();
    const expiring = await setup({ expiresAt: new Date(clock.now() + 1000) });
    expect(await authenticateToken(expiring.ctx, expiring.token)).not.toBeNull();
    expiring.clock.advance(1000);
    expect(await authenticateToken(expiring.ctx, expiring.token)).toBeNull();
    await ctx.db.query(statement('', 'update api_tokens set revoked_at = now() where id = $1'), [id]);
    expect(await authenticateToken(ctx, token)).toBeNull();
  });

  it.each(['', 'parley_', 'nonsense', "' or 1=1"])('%j authenticates no user', async (token) => {
    const { ctx } = await setup();
    expect(await authenticateToken(ctx, token)).toBeNull();
  });

  it('notes its last use, once a minute at most', async () => {
    const { ctx, clock, id, token } = await setup();
    const seen = async () => (await ctx.db.query(lastUsed, [id]))[0]?.lastUsedAt?.getTime();
    const first = clock.now();
    await authenticateToken(ctx, token);
    clock.advance(59_000);
    await authenticateToken(ctx, token);
    expect(await seen()).toBe(first);
    clock.advance(2_000);
    await authenticateToken(ctx, token);
    expect(await seen()).toBe(clock.now());
  });

  it('may be preset, but not short', async () => {
    const preset = 'a-token-for-automation-with-enough-characters';
    const { ctx, token } = await setup({ token: preset });
    expect(token).toBe(preset);
    expect(await authenticateToken(ctx, preset)).not.toBeNull();
    await expect(setup({ token: 'short' })).rejects.toMatchObject({ kind: 'invalid' });
  });
});
