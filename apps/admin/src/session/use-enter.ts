/** Completes a successful sign-in, by password or by link. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/**
 * Returns a function that clears the cached data of the previous user and opens a page.
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
