/** P11: the minimum cost of a lead, as the sum of the bare costs of the steps that no dialer can omit. */

/** Processor time of each step, microseconds. */
export interface Floors {
  /** One end of a call over UDP: INVITE, 100, 180, 200, ACK, BYE, 200. */
  inviteMicros: number;
  /** One commit, including the time of Postgres. */
  commitMicros: number;
  /** One POST of the size of a webhook with undici. */
  postMicros: number;
}

/**
 * Commits: the permission to dial, the answer, the end with settlement and webhook, the answer to the webhook. POSTs: the
 * hand-over to voice and the webhook. Claims are shared by many leads and are not counted.
 */
export const STEPS = { invites: 1, commits: 4, posts: 2 };

/** @returns milliseconds */
export function sumOfFloorsMs({ inviteMicros, commitMicros, postMicros }: Floors): number {
  const micros = STEPS.invites * inviteMicros + STEPS.commits * commitMicros + STEPS.posts * postMicros;
  return micros / 1000;
}

/** The simulated voice processes send no INVITE, so its minimum cost is added to the cost of a lead. */
export function overFloors(leadMs: number, floors: Floors): number {
  return (leadMs + (STEPS.invites * floors.inviteMicros) / 1000) / sumOfFloorsMs(floors);
}
