/** A call's duration, ticking while people talk. */
import type { CallStatus } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useNow } from '../client/clock.ts';
import { formatDuration } from '../ui/format.rules.ts';
import { statusLook } from './call-status.rules.ts';

interface CallDurationProps {
  status: CallStatus;
  /** Seconds as the server counted them. */
  duration: number;
  /** When the server counted, in ms since 1970 by this browser's clock. */
  countedAtMs: number;
}

/** A dash before the answer. */
export function CallDuration({ status, duration, countedAtMs }: CallDurationProps): ReactNode {
  const isTicking = status === 'in-progress';
  const nowMs = useNow(isTicking ? 1_000 : null);
  const { isLive } = statusLook(status);
  if (isLive && !isTicking) return '–';
  return formatDuration(isTicking ? duration + (nowMs - countedAtMs) / 1_000 : duration);
}
