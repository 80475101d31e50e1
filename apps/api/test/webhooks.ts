/** Webhooks for tests of the endpoints about them. */
import { statement } from '@parley/db';
import type { GoodRequest } from './administration.ts';
import { make } from './generated/world.ts';
import type { LiveApi } from './live-api.ts';

const PATH = '/api/user/webhook-deliveries';

const firstUser = statement<{ id: number }>('', 'select id from users order by id limit 1');

/** A webhook of the first user that was given up. @returns its id */
export async function makeFailedDelivery(live: LiveApi): Promise<string> {
  const [user] = await live.core.db.query(firstUser);
  const { id } = await make(live, 'delivery', { userId: user?.id ?? 0, token: live.token });
  return String(id);
}

const post = (path: string, body?: unknown): GoodRequest => ({
  path,
  request: { method: 'POST', ...(body === undefined ? {} : { body }) },
});

/** One good request for each endpoint of webhooks, by its name in the contract. */
export function webhookRequests(id: () => string): Record<string, () => GoodRequest> {
  return {
    'webhookDeliveries.list': () => ({ path: `${PATH}?status=failed&event=call.finished&per_page=5` }),
    'webhookDeliveries.get': () => ({ path: `${PATH}/${id()}` }),
    'webhookDeliveries.resend': () => post(`${PATH}/${id()}/resend`),
    'webhookDeliveries.resendMany': () =>
      post(`${PATH}/resend`, { date_from: '2020-01-01', date_to: '2099-12-31' }),
    'webhookSecrets.get': () => ({ path: '/api/user/webhook-secret' }),
    'webhookSecrets.rotate': () => post('/api/user/webhook-secret/rotate', { keep_old_for_hours: '2' }),
  };
}
