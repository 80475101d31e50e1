/** The price list over REST. */
import type { api } from '@parley/contracts';
import { listPrices, setPrices } from '@parley/core';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/prices.ts`. */
export const priceHandlers: RestHandlers<typeof api.prices> = {
  async get({ core, identity }) {
    return { status: 200, body: await listPrices(core, identity) };
  },

  async set({ core, identity }, { body }) {
    const data = await setPrices(core, identity, body);
    return { status: 200, body: { message: 'Price list updated successfully', data } };
  },
};
