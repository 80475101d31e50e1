/**
 * The messages between the main thread and the WebRTC worker. Both directions are batched, commands per turn of the event
 * loop and reports per reading of the sockets.
 */
import type { WebRtcStats } from './webrtc-stream.ts';

/** Main thread to worker. `id` identifies a connection; the main thread chooses it and never reuses it. */
export type WebRtcCommand =
  /**
   * Binds a UDP port of `host` and answers the offer; port 0 lets the system choose. `addresses`: what the answer names.
   * Answered by `answered` or `refused`.
   */
  | { do: 'open'; id: number; offer: string; host: string; port: number; addresses: string[] }
  /** `index` counts the frames of the call. */
  | { do: 'play'; id: number; index: number; samples: Int16Array }
  /** Answered by `closed`. */
  | { do: 'close'; id: number };

/** Worker to main thread. */
export type WebRtcReport =
  | { type: 'answered'; id: number; answer: string }
  /** `code`: of the system, for example EADDRINUSE, or what the offer lacks. */
  | { type: 'refused'; id: number; code: string }
  /** The browser has proved who it is; sound can be sent. */
  | { type: 'connected'; id: number }
  | { type: 'sound'; id: number; timestamp: number; samples: Int16Array; isNewSource: boolean }
  /** Once a second. */
  | { type: 'stats'; id: number; stats: WebRtcStats }
  /** There will be no sound, or no more. The connection still has to be closed. */
  | { type: 'failed'; id: number; reason: string }
  /** The port is free again. */
  | { type: 'closed'; id: number }
  /** A callback threw; the connection continues. */
  | { type: 'fault'; id: number; where: string; message: string };
