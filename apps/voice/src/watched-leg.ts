/**
 * A leg that somebody has to watch before its call has a session. A leg hands its early events to its first listener
 * only; this one keeps them, and hands them to the session as if nobody had listened before.
 */
import type { CallLeg, LegEvent } from '@parley/telephony';

/** A leg under watch. */
export interface WatchedLeg {
  /** The same leg, for the session. */
  leg: CallLeg;
  /** Aborted when the leg has ended. */
  ended: AbortSignal;
}

/** @param leg - without a listener so far */
export function watchLeg(leg: CallLeg): WatchedLeg {
  const end = new AbortController();
  const early: LegEvent[] = [];
  let listener: ((event: LegEvent) => void) | null = null;
  leg.onEvent((event) => {
    if (listener) listener(event);
    else early.push(event);
    if (event.type === 'ended') end.abort();
  });
  const onEvent = (next: (event: LegEvent) => void): void => {
    listener = next;
    for (const event of early.splice(0)) next(event);
  };
  return { leg: withListener(leg, onEvent), ended: end.signal };
}

function withListener(leg: CallLeg, onEvent: CallLeg['onEvent']): CallLeg {
  return {
    id: leg.id,
    direction: leg.direction,
    from: leg.from,
    to: leg.to,
    media: leg.media,
    onEvent,
    ring: () => leg.ring(),
    answer: () => leg.answer(),
    reject: (sipStatus) => leg.reject(sipStatus),
    hangUp: () => leg.hangUp(),
    sendDtmf: (digits) => leg.sendDtmf(digits),
    transfer: (number, limitMs) => leg.transfer(number, limitMs),
  };
}
