/** Shows a query in each of its states: pending, failed with a retry button, or loaded. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RequestFailure } from './request-failure.tsx';
import { inBackground } from '../client/in-background.ts';

interface QueryViewProps<Data> {
  query: UseQueryResult<Data, unknown>;
  /** Shown until the data has loaded. */
  pending: ReactNode;
  /** Shows `pending` although the data has loaded: another part of the page has not, and would make it move. */
  isWaiting?: boolean;
  /** Shown above a failure on pages whose header depends on the data. */
  failureHeader?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Data once loaded stays on the page while it is being renewed, also when the renewal fails. */
export function QueryView<Data>({
  query,
  pending,
  isWaiting = false,
  failureHeader,
  children,
}: QueryViewProps<Data>): ReactNode {
  if (isWaiting && !query.isError) return pending;
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return pending;
  return (
    <>
      {failureHeader}
      <RequestFailure
        error={query.error}
        onRetry={() => inBackground(query.refetch())}
        isRetrying={query.isFetching}
      />
    </>
  );
}
