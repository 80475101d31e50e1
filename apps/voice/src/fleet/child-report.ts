/** Reports from a voice process to its fleet over the IPC channel; both ends are implemented here. */
import { z } from 'zod';

const reportSchema = z.object({
  /** The port of its SIP listener. */
  sipPort: z.number(),
  /** Free slots; 0 while draining. */
  freeCalls: z.number(),
  /** Free slots for callers who wait in a queue; 0 while draining. */
  freeQueueSlots: z.number().default(0),
  /** The id of the lease; absent before the process is registered. */
  processId: z.uuid().optional(),
});

/** Sent at the start and after every change. */
export type ChildReport = z.infer<typeof reportSchema>;

const strangerSchema = z.object({ strangerAddress: z.string().max(64) });

const trustedSchema = z.object({ trustedAddress: z.string().max(64) });

const resumedSchema = z.object({ resumedTag: z.string().max(256) });

/** Parses a message of a child process; null for anything else. */
export function readReport(message: unknown): ChildReport | null {
  return reportSchema.safeParse(message).data ?? null;
}

/** The source address of a refused call that is no trunk; null for any other message. */
export function readStranger(message: unknown): string | null {
  return strangerSchema.safeParse(message).data?.strangerAddress ?? null;
}

/** The address of a trunk with which the process has a call; null for any other message. */
export function readTrusted(message: unknown): string | null {
  return trustedSchema.safeParse(message).data?.trustedAddress ?? null;
}

/** The local tag of the dialog with which the process goes on; null for any other message. */
export function readResumed(message: unknown): string | null {
  return resumedSchema.safeParse(message).data?.resumedTag ?? null;
}

/** Reports that this process goes on with a dialog of a lost one: only the fleet sees requests that reach its address. */
export function reportResumed(resumedTag: string): void {
  send({ resumedTag });
}

/** Reports a refused call of a source that is no trunk: only the fleet sees all calls of a source. */
export function reportStranger(strangerAddress: string): void {
  send({ strangerAddress });
}

/** Reports the address of a trunk with which this process has a call: the fleet does not see the calls that its processes place. */
export function reportTrusted(trustedAddress: string): void {
  send({ trustedAddress });
}

/** Sends a report to the fleet; does nothing in a process without one. */
export function report(facts: ChildReport): void {
  send(facts);
}

function send(message: object): void {
  // The end of the fleet is detected elsewhere (runtime, watchParent).
  process.send?.(message, undefined, undefined, () => undefined);
}
