/** API tokens over REST. */
import type { api } from '@parley/contracts';
import { issueToken, listTokens, revokeToken } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/tokens.ts`. */
export const tokenHandlers: RestHandlers<typeof api.tokens> = {
  async list({ core, identity }) {
    return { status: 200, body: await listTokens(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await issueToken(core, identity, body);
    return { status: 201, body: { message: 'Token created successfully', data } };
  },

  async revoke({ core, identity }, { params }) {
    await revokeToken(core, identity, params.id);
    return { status: 200, body: { message: 'Token revoked successfully' } };
  },
};
