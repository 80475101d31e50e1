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

/** Receives the messages of the fleet until `signal` is aborted. A process without a fleet receives none. */
export function receiveFromFleet(onLost: (lost: LostProcess) => void, signal: AbortSignal): void {
  const receive = (message: unknown): void => {
    const lost = lostSchema.safeParse(message).data;
    if (lost) onLost({ processId: lost.lostProcessId, endedAt: new Date(lost.endedAtMs) });
  };
  process.on('message', receive);
  signal.addEventListener('abort', () => process.off('message', receive), { once: true });
}
