/**
 * The messages between the main thread and the media worker. Commands are batched per turn of the event loop, reports per
 * wake-up of the clock: one message per frame would cost three times as much CPU time.
 */
import type { AmbientLoop } from '../ambience.ts';
import type { KeyForm, MediaTarget } from '../media-factory.ts';
import type { LegRateHz } from './audio-codec.ts';
import type { PackedTicks } from './tick-batch.ts';

/** Main thread to worker. `id` identifies a call; the main thread chooses it and never reuses it. */
export type MediaCommand =
  /** Binds `port` for RTP and the next one for RTCP; port 0 lets the system choose. Answered by `opened` or `open-failed`. */
  | { do: 'open'; id: number; host: string; port: number; sampleRateHz: LegRateHz }
  /** The first one starts the clock of the call. */
  | { do: 'connect'; id: number; target: MediaTarget }
  | { do: 'play'; id: number; turn: number; samples: Int16Array }
  | { do: 'pause' | 'lower' | 'resume' | 'clear'; id: number }
  | { do: 'ambience'; id: number; loop: AmbientLoop | null }
  | { do: 'send-keys'; id: number; digits: string; as: KeyForm }
  | { do: 'watch-silence'; id: number; limitMs: number }
  /** Answered by `closed`. */
  | { do: 'close'; id: number };

/** Worker to main thread. */
export type MediaReport =
  | { type: 'opened'; id: number; port: number }
  /** `code` is the error code of the system, for example EADDRINUSE. */
  | { type: 'open-failed'; id: number; code: string }
  | { type: 'ticks'; ticks: PackedTicks }
  | { type: 'key'; id: number; digit: string; durationMs: number }
  | { type: 'silence'; id: number }
  /** At the end of a call: packets were rejected because their source did not belong to it, or they were not authentic. */
  | { type: 'rejected'; id: number; packets: number }
  /** Both ports are free again. */
  | { type: 'closed'; id: number }
  /** A callback threw; the call continues. */
  | { type: 'fault'; id: number; where: string; message: string };
