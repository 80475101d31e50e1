/** One row over the REST API. */
import type { Installation } from '@parley/e2e';

/** @param path - below `/api/user/`. @returns the id of the row. @throws Error where it is refused */
export async function create(installation: Installation, path: string, body: object): Promise<number> {
  const answer = (await installation.request('POST', `/api/user/${path}`, body)) as { data: { id: number } };
  return answer.data.id;
}
