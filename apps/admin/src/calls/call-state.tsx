/** The outcome of a call, or its status before it has one. */
import type { CallSummary } from '@parley/contracts';
import type { ReactNode } from 'react';
import { OutcomePill } from './outcome-pill.tsx';
import { StatusPill } from './status-pill.tsx';

/** The same in lists and on the page of the call. */
export function CallState({ call }: { call: Pick<CallSummary, 'status' | 'outcome'> }): ReactNode {
  return call.outcome === null ? <StatusPill status={call.status} /> : <OutcomePill outcome={call.outcome} />;
}
