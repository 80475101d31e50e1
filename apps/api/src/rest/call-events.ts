/** The events of one call as a stream: those of the past, then each new one, until the call is over. */
import {
  findCallKey,
  isTokenActive,
  readCallEvents,
  type CoreContext,
  type FollowedEvent,
  type Identity,
} from '@parley/core';
import type { CallFeed, CallWatch } from '../call-feed.ts';
import { eventText, HEARTBEAT, reconnectAfter } from '../http/event-stream.ts';
import type { OpenStreams } from '../http/open-streams.ts';

/** Streams that one user may have open. */
export const MAX_STREAMS = 100;
/** How often a comment is sent, and the token checked, milliseconds. */
const HEARTBEAT_MS = 15_000;
/** How long a client waits before it connects again, milliseconds. */
const RECONNECT_MS = 2000;

/** What all streams share. */
export interface CallEventSources {
  feed: CallFeed;
  streams: OpenStreams;
}

interface Follower {
  core: CoreContext;
  identity: Identity;
  callId: number;
  /** The number of the last event that the client has. */
  after: number;
}

/**
 * The text of a stream. It ends with the event `end`; without it when `gone` is aborted, the feed stops, the token is no
 * longer valid or the call was removed.
 *
 * @throws DomainError `not-found`, also for another user's call; `too-many` above {@link MAX_STREAMS}
 */
export async function* streamCallEvents(
  { feed, streams }: CallEventSources,
  follower: Follower,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const { core, identity, callId, after } = follower;
  const leave = streams.enter(identity.userId);
  try {
    const call = await findCallKey(core, identity, callId);
    // The first piece sends the head of the answer, also where no event is left to be sent.
    yield reconnectAfter(RECONNECT_MS);
    yield* followCall(follower, feed.watch(call, after, gone));
  } finally {
    leave();
  }
}

async function* followCall({ core, identity }: Follower, watch: CallWatch): AsyncGenerator<string> {
  const { clock } = core;
  let beatAtMs = clock.monotonic() + HEARTBEAT_MS;
  while (!watch.ended.aborted) {
    if (clock.monotonic() >= beatAtMs) {
      if (!(await isStillAllowed(core, identity))) return;
      yield HEARTBEAT;
      beatAtMs = clock.monotonic() + HEARTBEAT_MS;
    }
    const page = await readCallEvents(core, watch.call, watch.last);
    if (page === null) return;
    for (const event of page.events) yield textOf(event);
    watch.last = page.last;
    if (page.end) return yield eventText('end', page.end);
    if (!page.hasMore) await watch.untilUnread(Math.max(0, beatAtMs - clock.monotonic()));
  }
}

async function isStillAllowed(core: CoreContext, { tokenId }: Identity): Promise<boolean> {
  return tokenId !== null && (await isTokenActive(core, tokenId));
}

function textOf(event: FollowedEvent): string {
  if (event.kind === 'event') return eventText(event.record.type, event.record, event.number);
  return eventText(event.kind, event.record);
}
