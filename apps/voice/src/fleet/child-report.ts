/** Reports from a voice process to its fleet over the IPC channel; both ends are implemented here. */
import { z } from 'zod';

const reportSchema = z.object({
  /** The port of its SIP listener. */
  sipPort: z.number(),
  /** Free slots; 0 while draining. */
  freeCalls: z.number(),
  /** Free places for callers who wait in a queue; 0 while draining. */
  freePlaces: z.number().default(0),
});

/** Sent at the start and after every change. */
export type ChildReport = z.infer<typeof reportSchema>;

/** Parses a message of a child process; null for anything else. */
export function readReport(message: unknown): ChildReport | null {
  return reportSchema.safeParse(message).data ?? null;
}

/** Sends a report to the fleet; does nothing in a process without one. */
export function report(facts: ChildReport): void {
  // The end of the fleet is detected elsewhere (runtime, watchParent).
  process.send?.(facts, undefined, undefined, () => undefined);
}
