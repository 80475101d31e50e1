/** The guard of every page except the sign-in pages. */
import { redirect } from '@tanstack/react-router';
import { type AdminClient, ALONE } from '../client/admin-client.ts';
import { inBackground } from '../client/in-background.ts';
import { rememberedRole, rememberRole } from './remembered-role.ts';

/**
 * Lets a signed-in user pass. A user who was signed in before passes at once, so that the page is drawn and asks for its data
 * while the server says whether the session is valid.
 *
 * @param currentPath - the requested address, to return to after signing in
 * @throws a redirect to the sign-in page without a session; any failure of the request itself
 */
export async function requireUser(client: AdminClient, currentPath: string): Promise<void> {
  const { queryClient, trpc } = client;
  const known = queryClient.getQueryData(trpc.session.me.queryKey());
  if (known === undefined) {
    const asked = queryClient.ensureQueryData(trpc.session.me.queryOptions(undefined, ALONE));
    if (rememberedRole() !== null) {
      // Where it fails, so do the requests of the page, which shows it.
      const answer = asked.catch(() => undefined);
      inBackground(answer.then((user) => user === null && client.onSignedOut()));
      return;
    }
    await asked;
  }
  const user = queryClient.getQueryData(trpc.session.me.queryKey());
  rememberRole(user ?? null);
  if (user) return;
  throw redirect({ to: '/sign-in', search: currentPath === '/' ? {} : { next: currentPath } });
}
