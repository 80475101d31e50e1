/**
 * The WebRTC worker thread. It is not the thread of RTP: a handshake takes about 10 ms of processor time at once, in which
 * every packet of a telephone call would be late, and a fault in it ends no call, because calls of browsers continue over
 * their WebSockets. This file is an entry point: loading it starts the worker.
 */
import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { mediaClock } from '../rtp/media-clock.ts';
import { openOpusCodec } from './open-opus-codec.ts';
import { WebRtcHost } from './webrtc-host.ts';
import type { WebRtcCommand } from './webrtc-messages.ts';

const host = new WebRtcHost({
  clock: mediaClock,
  random: () => randomBytes(4).readUInt32BE(),
  openCodec: openOpusCodec,
  post: (reports) =>
    parentPort?.postMessage(
      reports,
      reports.flatMap((report) => (report.type === 'sound' ? [report.samples.buffer as ArrayBuffer] : [])),
    ),
});

// werift lets a promise of a handshake that was given up reject without a listener; it must not end the thread.
process.on('unhandledRejection', (error) => host.fault(0, 'rejection', error));

parentPort?.on('message', (commands: WebRtcCommand[]) => {
  // `execute` reports every failure itself and never rejects.
  for (const command of commands) host.execute(command).catch(() => undefined);
});
