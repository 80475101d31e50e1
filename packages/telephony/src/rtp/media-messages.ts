/**
 * What the main thread and the media worker say to each other. Commands are gathered and cross once per turn of the event
 * loop, reports once per wake-up of the clock: a message per frame would cost three times the work.
 */
import type { AmbientLoop } from '../ambience.ts';
import type { MediaTarget } from '../media-factory.ts';
import type { PackedTicks } from './tick-batch.ts';

/** Main thread to worker. `id` names a call; it is chosen by the main thread and never used twice. */
export type MediaCommand =
  /** Binds `port` for RTP and the next one for RTCP; port 0 lets the system choose. Answered by `opened` or `open-failed`. */
  | { do: 'open'; id: number; host: string; port: number }
  /** Starts the clock of the call at the first time. */
  | { do: 'connect'; id: number; target: MediaTarget }
  | { do: 'play'; id: number; turn: number; samples: Int16Array }
  | { do: 'pause' | 'resume' | 'clear'; id: number }
  | { do: 'ambience'; id: number; loop: AmbientLoop | null }
  | { do: 'send-keys'; id: number; digits: string }
  | { do: 'watch-silence'; id: number; limitMs: number }
  /** Answered by `closed`. */
  | { do: 'close'; id: number };

/** Worker to main thread. */
export type MediaReport =
  | { type: 'opened'; id: number; port: number }
  /** `code` is that of the system, for example EADDRINUSE. */
  | { type: 'open-failed'; id: number; code: string }
  | { type: 'ticks'; ticks: PackedTicks }
  | { type: 'key'; id: number; digit: string; durationMs: number }
  | { type: 'silence'; id: number }
  /** Both ports are free again. */
  | { type: 'closed'; id: number }
  /** Something threw that must not; the call goes on. */
  | { type: 'fault'; id: number; where: string; message: string };
