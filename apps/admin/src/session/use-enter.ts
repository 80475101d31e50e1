/** What happens after a successful sign-in, by password or by link. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/**
 * Returns a function that forgets everything the cache knew about the former user and opens a page.
 */
export function useEnter(): (next: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (next) => {
    queryClient.clear();
    await router.invalidate();
    await router.navigate({ to: next });
  };
}
