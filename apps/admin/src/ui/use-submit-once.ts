/**
 * A form is sent once: a second click or Enter that arrives before the page has been drawn again, with its button
 * disabled, would send it twice.
 */
import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

/** @returns a function that runs `send`, unless a request that it began before is still under way */
export function useSubmitOnce(): (send: () => void) => void {
  const requests = useQueryClient().getMutationCache();
  const sent = useRef<Mutation[]>([]);
  return (send) => {
    if (sent.current.some(({ state }) => state.status === 'pending')) return;
    const others = new Set(requests.getAll());
    send();
    sent.current = requests.getAll().filter((request) => !others.has(request));
  };
}
