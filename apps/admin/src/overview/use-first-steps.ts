/** The first steps of this user, until all are done or the user has hidden them in this browser. */
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { FIRST_STEPS, firstStepsOf, type FirstStepsState } from './first-steps.rules.ts';
import { FIRST_STEPS_OVER, firstStepQueries } from './overview-queries.ts';

interface FirstSteps {
  /** Null: there is nothing to show. */
  state: FirstStepsState | null;
  isPending: boolean;
  hide: () => void;
}

/** Reads nothing once they are over. */
export function useFirstSteps(): FirstSteps {
  const trpc = useTRPC();
  const [stored, setStored] = useLocalStorage({
    key: FIRST_STEPS_OVER,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const me = useQuery(trpc.session.me.queryOptions());
  const userId = me.data?.id;
  const over = stored.split(',');
  const enabled = userId !== undefined && !over.includes(String(userId));
  const queries = firstStepQueries(trpc);
  const calls = useQuery({ ...queries.calls, enabled });
  const assistants = useQuery({ ...queries.assistants, enabled });
  const trunks = useQuery({ ...queries.trunks, enabled });
  const hasAll = enabled && calls.data && assistants.data && trunks.data;
  const state = hasAll
    ? firstStepsOf({ talks: calls.data.total, assistants: assistants.data, trunks: trunks.data })
    : null;
  const isOver = state?.done.size === FIRST_STEPS.length;
  const hide = (): void => {
    if (userId !== undefined) setStored([...over, userId].filter(Boolean).join(','));
  };
  useEffect(() => {
    if (isOver) hide();
  });
  const isPending = me.isPending || (enabled && [calls, assistants, trunks].some((query) => query.isPending));
  return { state: isOver ? null : state, isPending, hide };
}
