/**
 * The phones' witness: one JSON object a line, written at once and to the end, so that no kill of any process takes a
 * line away. `at` is wall time in ISO form. Lines are either a SIP message as it crossed the socket or the summary of a
 * call's sound.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@parley/runtime';
import type { WireFacts } from './wire-scan.ts';

/** A SIP message. */
export interface WireLine extends WireFacts {
  direction: 'in' | 'out';
  /** `udp:127.0.0.1:5060`. */
  peer: string;
}

/** The sound of a call that has ended. */
export interface SoundLine {
  event: 'sound';
  callId: string;
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  /** Payload received: one byte a sample. */
  bytesReceived: number;
  /** How much of what was heard was louder than a murmur, milliseconds. */
  loudMs: number;
  /** Mean level of those stretches; -100 when there are none. */
  levelDbfs: number;
  /** Milliseconds in which a test tone was heard pure, by its frequency in hertz. */
  tonesMs: Record<string, number>;
  /** Keys the other side pressed. */
  keys: string;
}

/** The open log of one process. */
export interface PhoneLog {
  write(line: WireLine | SoundLine): void;
  close(): void;
}

/**
 * Opens a log for appending; makes its folder where there is none.
 *
 * @throws Error when the file cannot be opened
 */
export function openPhoneLog(path: string, clock: Clock): PhoneLog {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a');
  let isOpen = true;
  return {
    write(line) {
      if (isOpen)
        writeSync(file, `${JSON.stringify({ at: new Date(clock.now()).toISOString(), ...line })}\n`);
    },
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
