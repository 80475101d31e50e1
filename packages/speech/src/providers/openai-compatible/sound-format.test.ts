/** Servers that answer `response_format: pcm` with something else than OpenAI. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tone, tonePurity, wavHeader } from '@parley/audio';
import { systemClock } from '@parley/runtime';
import { expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { createSpeechSynthesiser } from './speech-synthesiser.ts';

const SECONDS = 0.5;
const LINE_HZ = 8000;

function pcmOf(sampleRateHz: number): Uint8Array {
  const sound = tone({ hz: 500, sampleRateHz, samples: SECONDS * sampleRateHz });
  return new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength);
}

/** As a server writes it that does not know the length yet, with a chunk of other data before the samples. */
function wavOf(sampleRateHz: number, channelCount = 1): Uint8Array {
  const header = wavHeader({ sampleRateHz, channelCount, dataBytes: 0xff_ff_ff_ff - 44 });
  const list = Uint8Array.from([76, 73, 83, 84, 4, 0, 0, 0, 1, 2, 3, 4]);
  return Buffer.concat([header.subarray(0, 36), list, header.subarray(36), pcmOf(sampleRateHz)]);
}

/** What is heard on a telephone line of a server that sends these bytes, in pieces of an odd length. */
async function heardOf(contentType: string, bytes: Uint8Array, pieceBytes = 7): Promise<Int16Array> {
  const server = createServer((_request, response) => {
    response.writeHead(200, contentType === '' ? {} : { 'content-type': contentType });
    const send = (at: number): void => {
      if (at >= bytes.length) return void response.end();
      const size = at < 70 ? pieceBytes : 4001;
      response.write(bytes.subarray(at, at + size));
      setImmediate(() => send(at + size));
    };
    send(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const account = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: null };
  const synthesiser = createSpeechSynthesiser({ account, model: 'tts-1', clock: systemClock });
  const asked = { voice: 'a', sampleRateHz: LINE_HZ, speed: 1, stability: 0, similarity: 0, language: 'en' };
  try {
    const chunks = await collect(synthesiser.speak('Good morning.', asked, new AbortController().signal));
    return Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

it.each([
  ['audio/wav', wavOf(16_000)],
  ['audio/wav', wavOf(22_050)],
  ['audio/pcm', wavOf(48_000)],
  ['', wavOf(8000)],
  ['audio/pcm;rate=16000', pcmOf(16_000)],
  ['audio/L16; rate="22050"; channels=1', pcmOf(22_050)],
  ['application/octet-stream', pcmOf(24_000)],
])('sound of its own rate has its pitch and its length: %s', async (type, bytes) => {
  const heard = await heardOf(type, bytes);
  expect(Math.abs(heard.length - SECONDS * LINE_HZ)).toBeLessThanOrEqual(2);
  expect(tonePurity(heard.subarray(100, -100), 500, LINE_HZ)).toBeGreaterThan(0.999);
});

it.each([
  ['audio/mpeg', pcmOf(24_000)],
  ['audio/wav', wavOf(16_000, 2)],
  ['audio/pcm;rate=50', pcmOf(24_000)],
  ['audio/wav', Buffer.concat([wavOf(16_000).subarray(0, 36), new Uint8Array(70_000)])],
])('other sound is a failure of the voice, with its cause: %s', async (type, bytes) => {
  await expect(heardOf(type, bytes)).rejects.toMatchObject({
    name: 'SpeechError',
    kind: 'unavailable',
    message: expect.stringContaining('response_format "pcm"') as unknown,
  });
});

it('a sound shorter than a header is played', async () => {
  expect((await heardOf('audio/pcm', new Uint8Array(10))).length).toBeGreaterThan(0);
});
