/** Messages from a fleet to its voice processes over the IPC channel; both ends are implemented here. */
import { z } from 'zod';
import type { LostProcess } from '../take-over.ts';

const lostSchema = z.object({ lostProcessId: z.uuid(), endedAtMs: z.number() });

/** Another process of the fleet has ended. */
export function lostProcessMessage({
  processId,
  endedAt,
}: LostProcess & { endedAt: Date }): z.output<typeof lostSchema> {
  return { lostProcessId: processId, endedAtMs: endedAt.getTime() };
}

/** Never called in a process without a fleet. */
export function receiveFromFleet(onLost: (lost: LostProcess) => void): void {
  process.on('message', (message) => {
    const lost = lostSchema.safeParse(message).data;
    if (lost) onLost({ processId: lost.lostProcessId, endedAt: new Date(lost.endedAtMs) });
  });
}
