/** Reports a call as it happens: each event and each line of the transcript once, until the call has its final status. */
import type { CallDetail, CallStatus } from '@parley/contracts';
import { CommandError } from './command-error.ts';
import { texts } from './texts.ts';

/** Polling interval, milliseconds. */
const LOOK_MS = 500;

const FINAL = new Set<CallStatus>(['completed', 'busy', 'no-answer', 'failed']);

/** The call, a timer, and where to write. */
export interface FollowOptions {
  read(): Promise<CallDetail>;
  wait(delayMs: number): Promise<void>;
  tell(line: string): void;
  signal: AbortSignal;
}

/** @returns the ended call */
export async function followCall(options: FollowOptions): Promise<CallDetail> {
  const printed = { events: 0, lines: 0 };
  for (;;) {
    const call = await options.read();
    for (const event of call.events.slice(printed.events)) options.tell(`${event.at}  ${event.type}`);
    printed.events = call.events.length;
    const lines = call.transcript === '' ? [] : call.transcript.split('\n');
    for (const line of lines.slice(printed.lines)) options.tell(`  ${line}`);
    printed.lines = lines.length;
    if (FINAL.has(call.status)) {
      options.tell(texts.follow.ended(call.status));
      return call;
    }
    await options.wait(LOOK_MS);
    if (options.signal.aborted) throw new CommandError(texts.follow.stopped);
  }
}
