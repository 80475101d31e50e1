/**
 * The log of the phones: one JSON object per line, written synchronously, so that no line is lost when a process is killed.
 * `at` is wall-clock time in ISO 8601. A line is either a SIP message as it crossed the socket, or the summary of the audio
 * of a call.
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

/** The audio of a call that has ended. */
export interface SoundLine {
  event: 'sound';
  callId: string;
  packetsReceived: number;
  packetsSent: number;
  packetsLost: number;
  /** Received payload: one byte per sample. */
  bytesReceived: number;
  longestGapMs: number;
  /** Duration of received audio above the noise threshold, milliseconds. */
  loudMs: number;
  /** Mean level of that audio; -100 without any. */
  levelDbfs: number;
  /** Milliseconds of pure test tones, by frequency in hertz. */
  tonesMs: Record<string, number>;
  /** The keys that the other side has pressed. */
  keys: string;
}

/** The open log of one process. */
export interface PhoneLog {
  write(line: WireLine | SoundLine): void;
  close(): void;
}

/**
 * Opens a log for appending; creates its folder if necessary.
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
