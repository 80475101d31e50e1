/** P11: the floor under a lead, as the sum of the steps that no dialer can leave out, each at its bare cost. */

/** Processor time of one, microseconds. */
export interface Floors {
  /** One end of a call over UDP: INVITE, 100, 180, 200, ACK, BYE, 200. */
  inviteMicros: number;
  /** With what Postgres spends on it. */
  commitMicros: number;
  /** One post of the size of a webhook with undici. */
  postMicros: number;
}

/**
 * Commits: the permission to dial, the answer, the end with the lead settled and the webhook written, the webhook's
 * answer. Posts: the hand-over to voice and the webhook. Claims are shared by many leads and count for nothing.
 */
export const STEPS = { invites: 1, commits: 4, posts: 2 };

/** @returns milliseconds */
export function sumOfFloorsMs({ inviteMicros, commitMicros, postMicros }: Floors): number {
  const micros = STEPS.invites * inviteMicros + STEPS.commits * commitMicros + STEPS.posts * postMicros;
  return micros / 1000;
}

/** The voice doubles send no INVITE: to what a lead costs with them, its floor is added. */
export function overFloors(leadMs: number, floors: Floors): number {
  return (leadMs + (STEPS.invites * floors.inviteMicros) / 1000) / sumOfFloorsMs(floors);
}
