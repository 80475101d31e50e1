/** Real sockets on loopback and a real media worker. Nothing here waits for a length of time, only for packets and ticks. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeG711, rmsDbfs, tone, tonePurity } from '@parley/audio';
import { silentLog, systemClock } from '@parley/runtime';
import type { MediaTick } from '../call-leg.ts';
import type { MediaTarget, RtpMedia } from '../media-factory.ts';
import {
  parseRtp,
  RTP_HEADER_BYTES,
  sequenceDistance,
  writeRtpHeader,
  type RtpPacket,
} from './rtp-packet.ts';
import { createRtpMediaFactory, type RtpMediaFactory, type RtpMediaOptions } from './rtp-media-factory.ts';

const HOST = '127.0.0.1';
const stops: (() => Promise<unknown> | void)[] = [];

afterAll(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Most tests share workers, as calls do. */
const shared = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null });
stops.push(() => shared.stop());

/** Workers and ports of the test's own. */
function makeFactory(options: Partial<RtpMediaOptions> = {}): RtpMediaFactory {
  const factory = createRtpMediaFactory({ clock: systemClock, log: silentLog, ports: null, ...options });
  stops.push(() => factory.stop());
  return factory;
}

function targetOf(remotePort: number, change: Partial<MediaTarget> = {}): MediaTarget {
  return {
    remoteHost: HOST,
    remotePort,
    codec: 'PCMU',
    payloadType: 0,
    telephoneEventPayloadType: 101,
    direction: 'sendrecv',
    ...change,
  };
}

/** Collects ticks; `until` resolves when enough have come to make something true. */
function listen(media: RtpMedia) {
  const ticks: MediaTick[] = [];
  let wake = (): void => undefined;
  media.onTick((tick) => {
    ticks.push(tick);
    wake();
  });
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const heard = (): Int16Array => Int16Array.from(ticks.flatMap((tick) => [...tick.received]));
  return { ticks, until, heard };
}

/** Two legs that talk to each other. */
async function setupPair(change: Partial<MediaTarget> = {}, factory = shared) {
  const near = await factory.openMedia({ localHost: HOST });
  const far = await factory.openMedia({ localHost: HOST });
  near.connect(targetOf(far.localPort, change));
  far.connect(targetOf(near.localPort, change));
  return { near, far };
}

/** A far end of bare sockets that sees every packet. */
async function setupBare(factory = shared) {
  const media = await factory.openMedia({ localHost: HOST });
  const socket = await bindSocket();
  const packets: RtpPacket[] = [];
  let wake = (): void => undefined;
  socket.on('message', (datagram) => {
    const packet = parseRtp(datagram);
    if (packet) packets.push(packet);
    wake();
  });
  const untilPackets = async (count: number): Promise<void> => {
    while (packets.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  media.connect(targetOf(socket.address().port));
  return { media, socket, packets, untilPackets };
}

async function bindSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  stops.push(() => {
    socket.close();
  });
  return socket;
}

/** A far end in a separate thread: counts packets in `counter[0]`, and in `counter[1]` those out of sequence. */
async function startCountingThread() {
  const counter = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
     const socket = require('node:dgram').createSocket('udp4');
     let previous = null;
     socket.on('message', (datagram) => {
       const sequence = datagram.readUInt16BE(2);
       if (previous !== null && sequence !== ((previous + 1) & 0xffff)) Atomics.add(workerData, 1, 1);
       previous = sequence;
       Atomics.add(workerData, 0, 1);
       Atomics.notify(workerData, 0);
     });
     socket.bind(0, '${HOST}', () => parentPort.postMessage(socket.address().port));`,
    { eval: true, workerData: counter },
  );
  stops.push(() => thread.terminate());
  const [port] = (await once(thread, 'message')) as [number];
  return { counter, port };
}

/** Frame `n` of a tone as an RTP packet. */
function packetOf(n: number, hz: number): Uint8Array {
  const bytes = new Uint8Array(RTP_HEADER_BYTES + 160);
  writeRtpHeader(new DataView(bytes.buffer), {
    payloadType: 0,
    hasMarker: n === 0,
    sequence: n,
    timestamp: n * 160,
    ssrc: 99,
  });
  encodeG711(
    'PCMU',
    tone({ hz, sampleRateHz: 8000, samples: 160, startAt: n * 160 }),
    bytes,
    RTP_HEADER_BYTES,
  );
  return bytes;
}

describe.concurrent('RTP media', () => {
  test.each(['PCMU', 'PCMA'] as const)('tones cross in both directions at once over %s', async (codec) => {
    const { near, far } = await setupPair({ codec, payloadType: codec === 'PCMU' ? 0 : 8 });
    const atNear = listen(near);
    const atFar = listen(far);
    near.play(1, tone({ hz: 400, sampleRateHz: 8000, samples: 8000 }));
    far.play(1, tone({ hz: 1000, sampleRateHz: 8000, samples: 8000 }));
    const loud = (ticks: MediaTick[]): Int16Array =>
      Int16Array.from(
        ticks.filter((tick) => rmsDbfs(tick.received) > -30).flatMap((tick) => [...tick.received]),
      );
    await atNear.until(() => loud(atNear.ticks).length >= 6400);
    await atFar.until(() => loud(atFar.ticks).length >= 6400);
    expect(tonePurity(loud(atFar.ticks).slice(800, 5600), 400, 8000)).toBeGreaterThan(0.8);
    expect(tonePurity(loud(atNear.ticks).slice(800, 5600), 1000, 8000)).toBeGreaterThan(0.8);
  });

  test('all keys arrive once, in order', async () => {
    const { near, far } = await setupPair();
    const keys: string[] = [];
    const done = new Promise<void>((resolve) => {
      far.onDtmf(({ digit }) => {
        keys.push(digit);
        if (digit === '#') resolve();
      });
    });
    near.sendDtmf('159*#', 'events');
    await done;
    expect(keys.join('')).toBe('159*#');
  });

  test('injected packets from another port are never played, before and after the far end sends', async () => {
    const { media, socket } = await setupBare();
    const { ticks, until, heard } = listen(media);
    const attacker = await bindSocket();
    // Four packets before the far end says anything (fewer than a translated source needs), then ten for each of its own.
    for (let n = 0; n < 4; n++) attacker.send(packetOf(n, 1500), media.localPort, HOST);
    for (let n = 0; n < 40; n++) {
      socket.send(packetOf(n, 400), media.localPort, HOST);
      for (let k = 0; k < 10; k++) attacker.send(packetOf(n * 10 + k, 1500), media.localPort, HOST);
      const count = ticks.length;
      await until(() => ticks.length > count);
    }
    const sound = heard().filter(
      (_, i, all) => rmsDbfs(all.subarray(i - (i % 160), i - (i % 160) + 160)) > -30,
    );
    expect(sound.length).toBeGreaterThan(160 * 20);
    expect(tonePurity(sound, 1500, 8000)).toBeLessThan(0.01);
  });

  test('a new target takes over in both directions and the old one is ignored', async () => {
    const { media, socket, packets, untilPackets } = await setupBare();
    const { ticks, until } = listen(media);
    for (let n = 0; n < 5; n++) socket.send(packetOf(n, 400), media.localPort, HOST);
    await untilPackets(5);
    const elsewhere = await bindSocket();
    const moved: RtpPacket[] = [];
    elsewhere.on('message', (datagram) => {
      const packet = parseRtp(datagram);
      if (packet) moved.push(packet);
    });
    media.connect(targetOf(elsewhere.address().port));
    await until(() => moved.length >= 5);
    const before = packets.length;
    const from = ticks.length;
    for (let n = 0; n < 30; n++) {
      socket.send(packetOf(100 + n, 1500), media.localPort, HOST);
      elsewhere.send(packetOf(n, 1000), media.localPort, HOST);
      const count = ticks.length;
      await until(() => ticks.length > count);
    }
    const heard = Int16Array.from(ticks.slice(from + 5).flatMap((tick) => [...tick.received]));
    expect(tonePurity(heard, 1500, 8000)).toBeLessThan(0.01);
    expect(tonePurity(heard, 1000, 8000)).toBeGreaterThan(0.8);
    expect(packets.length).toBe(before);
    expect(sequenceDistance(moved[0]?.sequence ?? 0, packets.at(-1)?.sequence ?? 0)).toBe(1);
    expect(ticks.map((tick) => tick.index)).toEqual(ticks.map((_, i) => i));
  });

  test.each([0, 65_535])('a far end at the odd port %i does not stop the clock', async (port) => {
    const media = await shared.openMedia({ localHost: HOST });
    const { ticks, until } = listen(media);
    media.connect(targetOf(port));
    await until(() => ticks.length >= 10);
    media.close();
  });

  test('silence of the far end is reported', async () => {
    const { media } = await setupBare();
    await new Promise<void>((resolve) => media.onSilence(200, resolve));
  });

  test('after closing, no listener is called, the port can be bound again and the pool has it back', async () => {
    const factory = makeFactory();
    const { media, untilPackets } = await setupBare(factory);
    const { ticks } = listen(media);
    await untilPackets(3);
    media.close();
    media.close();
    const count = ticks.length;
    while (factory.portsInUse() > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    const again = createSocket('udp4');
    again.bind(media.localPort, HOST);
    await once(again, 'listening');
    again.close();
    expect(ticks.length).toBe(count);
    media.play(1, new Int16Array(10));
    media.connect(targetOf(9));
    expect(media.stats().packetsSent).toBeGreaterThan(0);
  });

  test('ports are even and from the range, skipping ports in use; an exhausted range is an error', async () => {
    const held = await findRange();
    const factory = makeFactory({ ports: { first: held.port, last: held.port + 5 } });
    const media = await factory.openMedia({ localHost: HOST });
    expect([held.port + 2, held.port + 4]).toContain(media.localPort);
    const opened = [media];
    const error = await (async () => {
      for (;;) opened.push(await factory.openMedia({ localHost: HOST }));
    })().catch((reason: unknown) => reason);
    expect(error).toEqual(new Error('No RTP port is free'));
    expect(factory.portsInUse()).toBe(opened.length);
  });

  test('when a worker is full, another one takes the next call', async () => {
    const factory = makeFactory({ callsPerWorker: 1 });
    const near = await factory.openMedia({ localHost: HOST });
    const far = await factory.openMedia({ localHost: HOST });
    near.connect(targetOf(far.localPort));
    far.connect(targetOf(near.localPort));
    far.play(1, tone({ hz: 400, sampleRateHz: 8000, samples: 8000 }));
    const { until, heard } = listen(near);
    await until(() => tonePurity(heard().slice(-1600), 400, 8000) > 0.9);
  });

  test("an address that is not ours is refused with the system's code", async () => {
    await expect(makeFactory().openMedia({ localHost: '192.0.2.1' })).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
    });
  });

  test('when the workers are stopped, the legs are notified of silence', async () => {
    const factory = makeFactory();
    const { near } = await setupPair({}, factory);
    const silent = new Promise<void>((resolve) => near.onSilence(60_000, resolve));
    const { until, ticks } = listen(near);
    await until(() => ticks.length > 2);
    await factory.stop();
    await silent;
    near.close();
    expect(factory.portsInUse()).toBeLessThanOrEqual(1);
  });
});

// In a separate test, because it stops the others.
test('while the main thread is blocked, packets are still sent', async () => {
  const factory = makeFactory();
  const media = await factory.openMedia({ localHost: HOST });
  const { until, ticks } = listen(media);
  const farEnd = await startCountingThread();
  media.connect(targetOf(farEnd.port));
  await until(() => ticks.length > 2);
  // From here to the end of the loop no event of this thread is handled. Sound that needed it would never get to 25.
  const before = Atomics.load(farEnd.counter, 0);
  while (Atomics.load(farEnd.counter, 0) < before + 25) {
    const seen = Atomics.load(farEnd.counter, 0);
    expect(Atomics.wait(farEnd.counter, 0, seen, 5000)).not.toBe('timed-out');
  }
  expect(Atomics.load(farEnd.counter, 1)).toBe(0);
  await until(() => ticks.length > 25);
  expect(ticks.map((tick) => tick.index)).toEqual(ticks.map((_, i) => i));
});

/** An occupied even port, followed by ports that are probably free. */
async function findRange(): Promise<{ port: number }> {
  for (;;) {
    const socket = await bindSocket();
    const { port } = socket.address();
    if (port % 2 === 0 && port < 65_000) return { port };
  }
}
