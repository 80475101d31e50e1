/**
 * A leg that is observed before its call has a session. A leg delivers its early events only to its first listener; this
 * wrapper keeps them and delivers them to the session as if it were the first.
 */
import type { CallLeg, LegEvent } from '@parley/telephony';

/** An observed leg. */
export interface WatchedLeg {
  /** The same leg, for the session. */
  leg: CallLeg;
  /** Aborted when the leg has ended. */
  ended: AbortSignal;
}

/** @param leg - must not have a listener yet */
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
    ...(leg.callerTag !== undefined && { callerTag: leg.callerTag }),
    direction: leg.direction,
    from: leg.from,
    to: leg.to,
    media: leg.media,
    onEvent,
    allowCodecs: (codecs) => leg.allowCodecs?.(codecs),
    ring: () => leg.ring(),
    answer: (settings) => leg.answer(settings),
    reject: (sipStatus) => leg.reject(sipStatus),
    hangUp: () => leg.hangUp(),
    abandon: () => leg.abandon?.(),
    sendDtmf: (digits) => leg.sendDtmf(digits),
    transfer: (number, limitMs) => leg.transfer(number, limitMs),
  };
}
