/** The guard of every page except the sign-in pages. */
import { redirect } from '@tanstack/react-router';
import type { AdminClient } from '../client/admin-client.ts';

/**
 * Lets a signed-in user pass.
 *
 * @param currentPath - the requested address, to return to after signing in
 * @throws a redirect to the sign-in page without a session; any failure of the request itself
 */
export async function requireUser(client: AdminClient, currentPath: string): Promise<void> {
  const user = await client.queryClient.ensureQueryData(client.trpc.session.me.queryOptions());
  if (user) return;
  throw redirect({ to: '/sign-in', search: currentPath === '/' ? {} : { next: currentPath } });
}
