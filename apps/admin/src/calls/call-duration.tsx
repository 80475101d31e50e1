/** The duration of a call, updated while it is live. */
import type { CallStatus } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useNow } from '../client/clock.ts';
import { formatDuration } from '../ui/format.rules.ts';

/** The required fields of a call. `duration` is in seconds, and 0 until the call has ended. */
type TimedCall = Readonly<{ id: number; status: CallStatus; duration: number }>;

/** Counts from the answer, whose time only the call's details contain; the few live rows request it in one batch. */
function TickingDuration({ callId }: { callId: number }): ReactNode {
  const trpc = useTRPC();
  const answeredAt = useQuery({
    ...trpc.calls.get.queryOptions({ id: callId }),
    select: ({ answered_at }) => answered_at,
  }).data;
  const nowMs = useNow(1_000);
  return answeredAt ? formatDuration((nowMs - Date.parse(answeredAt)) / 1_000) : '–';
}

/** A dash for a call without a conversation. */
export function CallDuration({ call }: { call: TimedCall }): ReactNode {
  if (call.status === 'in-progress') return <TickingDuration callId={call.id} />;
  return call.duration === 0 ? '–' : formatDuration(call.duration);
}
