/** The user of the token; for operators, all users. */
import type { api } from '@parley/contracts';
import { addUserAccount, changeUserAccount, findUser, listUserAccounts, removeUser } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/users.ts`. */
export const userHandlers: RestHandlers<typeof api.users> = {
  async me({ core, identity }) {
    const { name, email } = await findUser(core, identity.userId);
    return { status: 200, body: { name, email, total_balance: 0 } };
  },

  async list({ core, identity }) {
    return { status: 200, body: await listUserAccounts(core, identity) };
  },

  async create({ core, identity }, { body }) {
    const data = await addUserAccount(core, identity, body);
    return { status: 201, body: { message: 'User created successfully', data } };
  },

  async update({ core, identity }, { params, body }) {
    const data = await changeUserAccount(core, identity, { ...body, id: params.id });
    return { status: 200, body: { message: 'User updated successfully', data } };
  },

  async remove({ core, identity }, { params }) {
    await removeUser(core, identity, params.id);
    return { status: 200, body: { message: 'The user is being removed' } };
  },
};
