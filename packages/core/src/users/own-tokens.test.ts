import { newTokenRecord, tokenRecord } from '@parley/contracts';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { makeContext, makeUser } from '../../test/arrange.ts';
import { authenticateToken } from './authenticate-token.ts';
import { revokeToken } from '../accounts/revoke-token.ts';
import { issueToken, listTokens } from './own-tokens.ts';

const database = useTestDatabase();

async function setup() {
  const { ctx, clock } = makeContext(database.db);
  const identity = await makeUser(ctx);
  return { ctx, clock, identity };
}

describe("a user's tokens", () => {
  it('are shown once and listed without what proves them', async () => {
    const { ctx, identity } = await setup();
    const made = await issueToken(ctx, identity, { name: 'Script' });
    expect(newTokenRecord.parse(made)).toEqual(made);
    const list = await listTokens(ctx, identity);
    expect(tokenRecord.array().parse(list)).toEqual(list);
    expect(list).toMatchObject([{ id: made.id, name: 'Script', scopes: null, revoked_at: null }]);
    expect(JSON.stringify(list)).not.toContain(made.token?.slice(20));
  });

  it('open the door until they are revoked, at every node', async () => {
    const { ctx, identity } = await setup();
    const otherNode = makeContext(database.db).ctx;
    const { id, token } = await issueToken(ctx, identity, { name: 'Script' });
    expect(await authenticateToken(otherNode, token ?? '')).toMatchObject({ tokenId: id });
    await revokeToken(ctx, identity, id);
    expect(await authenticateToken(otherNode, token ?? '')).toBeNull();
    await revokeToken(ctx, identity, id);
    expect((await listTokens(ctx, identity))[0]?.revoked_at).toBe('2026-01-01T00:00:00.000000Z');
  });

  it('expire', async () => {
    const { ctx, clock, identity } = await setup();
    const made = await issueToken(ctx, identity, { name: 'Day', expires_at: '2026-01-02T01:00:00+01:00' });
    expect(made.expires_at).toBe('2026-01-02T00:00:00.000000Z');
    clock.advance(24 * 3_600_000);
    expect(await authenticateToken(ctx, made.token ?? '')).toBeNull();
    await expect(
      issueToken(ctx, identity, { name: 'Late', expires_at: '2026-01-01T23:59:59Z' }),
    ).rejects.toMatchObject({ fields: { expires_at: ['The expires at must be a date after now.'] } });
  });

  it('are valid no longer than the token that makes them', async () => {
    const { ctx, identity } = await setup();
    const expires_at = '2026-01-02T00:00:00Z';
    const { token } = await issueToken(ctx, identity, { name: 'Day', expires_at });
    const maker = await authenticateToken(ctx, token ?? '');
    if (!maker) throw new Error('The token is unknown');
    const end = '2026-01-02T00:00:00.000000Z';
    expect(await issueToken(ctx, maker, { name: 'As long' })).toMatchObject({ expires_at: end });
    const shorter = await issueToken(ctx, maker, { name: 'Hour', expires_at: '2026-01-01T01:00:00Z' });
    expect(shorter.expires_at).toBe('2026-01-01T01:00:00.000000Z');
    await expect(
      issueToken(ctx, maker, { name: 'Longer', expires_at: '2026-01-02T00:00:01Z' }),
    ).rejects.toMatchObject({
      fields: { expires_at: ['The new token must not be valid longer than the requesting one.'] },
    });
  });

  it.each<[readonly ('read' | 'write' | 'call')[] | 'all', ('read' | 'write' | 'call')[] | null, unknown]>([
    ['all', null, null],
    ['all', ['read', 'read'], ['read']],
    [['read', 'write'], null, ['read', 'write']],
    [['read', 'write'], ['read'], ['read']],
    [['read', 'write'], ['read', 'call'], 'This token lacks the scope "call".'],
  ])('made with %j, asked for %j: %j', async (own, wanted, expected) => {
    const { ctx, identity } = await setup();
    const making = issueToken(ctx, { ...identity, scopes: own }, { name: 'Narrow', scopes: wanted });
    if (typeof expected === 'string') {
      await expect(making).rejects.toMatchObject({ kind: 'forbidden', message: expected });
    } else expect((await making).scopes).toEqual(expected);
  });

  it('belong to their user only', async () => {
    const { ctx, identity } = await setup();
    const stranger = await makeUser(ctx);
    const { id, token } = await issueToken(ctx, identity, { name: 'Mine' });
    expect(await listTokens(ctx, stranger)).toEqual([]);
    await expect(revokeToken(ctx, stranger, id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await authenticateToken(ctx, token ?? '')).not.toBeNull();
  });
});
