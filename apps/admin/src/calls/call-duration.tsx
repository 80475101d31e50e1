/** A call's duration, ticking while people talk. */
import type { CallStatus } from '@parley/contracts';
import { type ReactNode, useMemo } from 'react';
import { currentTimeMs, useNow } from '../client/clock.ts';
import { formatDuration } from '../ui/format.rules.ts';

/** What is needed of a call. A record that comes again is a new object, counted anew by the server. */
type CountedCall = Readonly<{ status: CallStatus; duration: number }>;

/** A dash where nobody talked. Between two records the browser counts on from the server's seconds. */
export function CallDuration({ call }: { call: CountedCall }): ReactNode {
  const countedAtMs = useMemo(currentTimeMs, [call]);
  const isTicking = call.status === 'in-progress';
  const nowMs = useNow(isTicking ? 1_000 : null);
  if (!isTicking && call.duration === 0) return '–';
  return formatDuration(call.duration + (isTicking ? Math.max(0, nowMs - countedAtMs) / 1_000 : 0));
}
