/** The duration of a call or a leg. */

/** @returns whole seconds; 0 before the beginning or the end */
export function secondsBetween(answeredAt: Date | null, endedAt: Date | null): number {
  if (!answeredAt || !endedAt) return 0;
  return Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000));
}
