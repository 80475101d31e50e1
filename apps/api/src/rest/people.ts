/** Erasing a person over REST. */
import type { api } from '@parley/contracts';
import { erasePerson } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/people.ts`. */
export const peopleHandlers: RestHandlers<typeof api.people> = {
  async erase({ core, identity }, { body }) {
    const data = await erasePerson(core, identity, {
      phoneNumber: body.phone_number,
      removesFromDoNotCallList: body.remove_from_do_not_call,
    });
    return { status: 200, body: { message: 'Person erased successfully', data } };
  },
};
