/** What a voice process tells the fleet it belongs to, over the channel between them; both ends stand here. */
import { z } from 'zod';

const reportSchema = z.object({
  /** Where its line listens. */
  sipPort: z.number(),
  /** How many more calls it takes; 0 while it drains. */
  freeCalls: z.number(),
});

/** Sent at the start and whenever it changes. */
export type ChildReport = z.infer<typeof reportSchema>;

/** A message of a child; null for anything else. */
export function readReport(message: unknown): ChildReport | null {
  return reportSchema.safeParse(message).data ?? null;
}

/** Tells the fleet; does nothing in a process that stands alone. */
export function report(facts: ChildReport): void {
  // A fleet that is gone is noticed elsewhere (runtime, watchParent).
  process.send?.(facts, undefined, undefined, () => undefined);
}
