/** Erasing a person over REST. */
import type { api } from '@parley/contracts';
import { auditCommitted, erasePerson, erasePersonEverywhere } from '@parley/core';
import type { RestCall, RestHandlers } from './handlers.ts';

/** Handlers of `contracts/people.ts`. */
export const peopleHandlers: RestHandlers<typeof api.people> = {
  async erase(call, { body }) {
    const erasure = {
      phoneNumber: body.phone_number,
      removesFromDoNotCallList: body.remove_from_do_not_call,
    };
    const data = body.all_accounts
      ? await eraseEverywhere(call, erasure)
      : await erasePerson(call.core, call.identity, erasure);
    return { status: 200, body: { message: 'Person erased successfully', data } };
  },
};

/** The audit log names the accounts from which something was removed, beside the entry of the request. */
function eraseEverywhere(
  { core, identity, request }: RestCall,
  erasure: Parameters<typeof erasePersonEverywhere>[2],
): ReturnType<typeof erasePersonEverywhere> {
  return erasePersonEverywhere(core, identity, erasure, (objectId) =>
    auditCommitted(core, {
      channel: 'api',
      operation: 'people.eraseFromAccount',
      userId: identity.userId,
      tokenId: identity.tokenId,
      networkAddress: request.ip ?? null,
      objectId,
    }),
  );
}
