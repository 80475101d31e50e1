/** Short forms of the requests that tests of assistants send to a live api. */
import { newAssistant } from '@parley/testkit';
import type { LiveApi } from './live-api.ts';

type Answer = Awaited<ReturnType<LiveApi['ask']>>;

export interface AssistantRequests {
  /** @param path - after `/api/user/` */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(id: number | string, body: unknown, token?: string): Promise<Answer>;
  remove(id: number | string, token?: string): Promise<Answer>;
  read(id: number | string): Promise<Answer>;
  /** Omitted fields have default values. @returns the id */
  make(changes?: Record<string, unknown>): Promise<number>;
}

/** Sends requests as the first user, or with the given token. */
export function assistantRequests(live: LiveApi): AssistantRequests {
  const post: AssistantRequests['post'] = (path, body, headers = {}) =>
    live.ask(`/api/user/${path}`, { method: 'POST', body, headers });
  return {
    post,
    put: (id, body, token = live.token) =>
      live.ask(`/api/user/assistant/${id}`, { method: 'PUT', body, token }),
    remove: (id, token = live.token) => live.ask(`/api/user/assistant/${id}`, { method: 'DELETE', token }),
    read: (id) => live.ask(`/api/user/assistant/${id}`),
    async make(changes = {}) {
      const { body, text } = await post('assistant', newAssistant(changes));
      const { data } = body as { data?: { id: number } };
      if (!data) throw new Error(`No assistant was made: ${text}`);
      return data.id;
    },
  };
}
