/** How long a call, or a leg of it, was up. */

/** @returns whole seconds; 0 for what has not begun or not ended */
export function secondsBetween(answeredAt: Date | null, endedAt: Date | null): number {
  if (!answeredAt || !endedAt) return 0;
  return Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000));
}
