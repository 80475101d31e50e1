/** The user behind the token. */
import type { api } from '@parley/contracts';
import { findUser } from '@parley/core';
import type { RestHandlers } from './mount.ts';

/** Handlers of `contracts/users.ts`. */
export const userHandlers: RestHandlers<typeof api.users> = {
  async me({ core, identity }) {
    const { name, email } = await findUser(core, identity.userId);
    return { status: 200, body: { name, email, total_balance: null } };
  },
};
