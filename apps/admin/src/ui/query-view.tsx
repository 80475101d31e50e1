/** Shows a query in each of its states: waiting, failed with a retry, or its data. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RequestFailure } from './request-failure.tsx';

interface QueryViewProps<Data> {
  query: UseQueryResult<Data, unknown>;
  /** What stands in the data's place until it is there. */
  pending: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Data once loaded stays on the page while it is being renewed, also when the renewal fails. */
export function QueryView<Data>({ query, pending, children }: QueryViewProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <RequestFailure
        error={query.error}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  return pending;
}
