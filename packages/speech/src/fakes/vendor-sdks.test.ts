/**
 * The vendors' own clients against our simulators: where they understand them, the simulators are right. Left out:
 * the socket clients of AssemblyAI, Cartesia and OpenAI take `wss` only, and ElevenLabs' package weighs 109 MB and has no such socket.
 */
import Anthropic from '@anthropic-ai/sdk';
import { DeepgramClient } from '@deepgram/sdk';
import { GoogleGenAI, Modality, type LiveServerMessage } from '@google/genai';
import { systemClock } from '@parley/runtime';
import OpenAI, { toFile } from 'openai';
import { afterEach, expect, it } from 'vitest';
import { WAV_HEADER_BYTES, wavHeader } from '@parley/audio';
import {
  AnthropicSimulator,
  DeepgramSimulator,
  GeminiLiveSimulator,
  GoogleSimulator,
  OpenAiSimulator,
} from './index.ts';
import type { ProviderSimulator } from './simulator/provider-simulator.ts';

const running: ProviderSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (simulator) => simulator.stop()));
});

async function started<Simulator extends ProviderSimulator>(simulator: Simulator): Promise<Simulator> {
  running.push(simulator);
  await simulator.start();
  return simulator;
}

const chat = () => ({ text: 'One moment.', toolCalls: [{ name: 'look_up', arguments: { day: 'Tuesday' } }] });
const second = new Int16Array(8000).fill(500);

async function deepgram(): Promise<DeepgramClient> {
  const simulator = await started(
    new DeepgramSimulator({ clock: systemClock, utterances: ['tomorrow at nine'] }),
  );
  const base = simulator.origin;
  const socket = base.replace('http', 'ws');
  return new DeepgramClient({
    apiKey: 'key',
    environment: { base, production: socket, agent: socket, agentRest: base },
  });
}

it("Deepgram's client hears live transcription", async () => {
  const client = await deepgram();
  const socket = await client.listen.v1.connect({ model: 'nova-3', encoding: 'linear16', sample_rate: 8000 });
  const heard = new Promise((resolve) => {
    socket.on('message', (message) => {
      if (message.type === 'Results') resolve(message);
    });
  });
  socket.connect();
  await socket.waitForOpen();
  socket.sendMedia(second);
  socket.sendFinalize({ type: 'Finalize' });
  expect(await heard).toMatchObject({
    is_final: true,
    from_finalize: true,
    duration: 1,
    channel: { alternatives: [{ transcript: 'tomorrow at nine' }] },
  });
  socket.close();
});

it("Deepgram's client hears the turns of Flux", async () => {
  const client = await deepgram();
  const socket = await client.listen.v2.connect({
    model: 'flux-general-en',
    encoding: 'linear16',
    sample_rate: 8000,
  });
  const heard = new Promise((resolve) => {
    socket.on('message', (message) => {
      if (message.type === 'TurnInfo') resolve(message);
    });
  });
  socket.connect();
  await socket.waitForOpen();
  socket.sendMedia(second);
  socket.sendForceEndTurn({ type: 'ForceEndTurn' });
  expect(await heard).toMatchObject({
    event: 'EndOfTurn',
    trigger: 'manual',
    transcript: 'tomorrow at nine',
  });
  socket.close();
});

it("Deepgram's client takes the sound of Aura", async () => {
  const client = await deepgram();
  const reply = await client.speak.v1.audio.generate({
    text: 'Good morning.',
    model: 'aura-2-thalia-en',
    encoding: 'linear16',
    container: 'none',
    sample_rate: 8000,
  });
  expect((await reply.arrayBuffer()).byteLength).toBe(13 * 40 * 8 * 2);
});

it("OpenAI's client talks, listens and speaks", async () => {
  const simulator = await started(new OpenAiSimulator({ clock: systemClock, chat }));
  const client = new OpenAI({ apiKey: 'key', baseURL: simulator.baseUrl });
  const stream = client.chat.completions.stream({
    model: 'simulated',
    messages: [{ role: 'user', content: 'When?' }],
  });
  expect((await stream.finalMessage()).content).toBe('One moment.');
  expect((await stream.finalMessage()).tool_calls).toMatchObject([
    { function: { name: 'look_up', arguments: '{"day":"Tuesday"}' } },
  ]);
  const speech = await client.audio.speech.create({
    model: 'tts-1',
    voice: 'alloy',
    input: 'Hello',
    response_format: 'pcm',
  });
  expect((await speech.arrayBuffer()).byteLength).toBe(5 * 40 * 24 * 2);
  const wav = new Uint8Array(WAV_HEADER_BYTES + 3200);
  wav.set(wavHeader({ sampleRateHz: 16_000, channelCount: 1, dataBytes: 3200 }));
  const file = await toFile(wav, 'utterance.wav', { type: 'audio/wav' });
  expect(await client.audio.transcriptions.create({ model: 'whisper-1', file })).toMatchObject({
    text: 'hello',
  });
});

it("Anthropic's client talks", async () => {
  const simulator = await started(new AnthropicSimulator({ clock: systemClock, chat }));
  const client = new Anthropic({ apiKey: 'key', baseURL: simulator.origin });
  const stream = client.messages.stream({
    model: 'simulated',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'When?' }],
  });
  expect(await stream.finalMessage()).toMatchObject({
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'One moment.' },
      { type: 'tool_use', name: 'look_up', input: { day: 'Tuesday' } },
    ],
    usage: { input_tokens: 20, output_tokens: 7 },
  });
});

it("Google's client talks", async () => {
  const simulator = await started(new GoogleSimulator({ clock: systemClock, chat }));
  const client = new GoogleGenAI({
    apiKey: 'key',
    httpOptions: { baseUrl: simulator.origin, apiVersion: 'v1beta' },
  });
  const reply = await client.models.generateContentStream({ model: 'simulated', contents: 'When?' });
  const parts = [];
  for await (const chunk of reply) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
  expect(parts.map((part) => part.text ?? '').join('')).toBe('One moment.');
  expect(parts.at(-1)?.functionCall).toMatchObject({ name: 'look_up', args: { day: 'Tuesday' } });
});

it("Google's client holds a conversation in speech, with a tool", async () => {
  const simulator = await started(
    new GeminiLiveSimulator({
      clock: systemClock,
      hear: () => 'when?',
      answer: (_dialogue, index) => (index === 0 ? chat() : { text: 'At nine.' }),
    }),
  );
  const client = new GoogleGenAI({
    apiKey: 'key',
    httpOptions: { baseUrl: simulator.origin, apiVersion: 'v1beta' },
  });
  const messages: LiveServerMessage[] = [];
  let wake = (): void => {};
  const until = async (isIt: (message: LiveServerMessage) => unknown): Promise<LiveServerMessage> => {
    for (;;) {
      const found = messages.find(isIt);
      if (found) return found;
      await new Promise<void>((resolve) => void (wake = resolve));
    }
  };
  const session = await client.live.connect({
    model: 'gemini-live',
    config: {
      responseModalities: [Modality.AUDIO],
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
      tools: [{ functionDeclarations: [{ name: 'look_up' }] }],
    },
    callbacks: {
      onmessage: (message) => {
        messages.push(message);
        wake();
      },
    },
  });
  session.sendRealtimeInput({ activityStart: {} });
  session.sendRealtimeInput({
    audio: { data: Buffer.from(second.buffer).toString('base64'), mimeType: 'audio/pcm;rate=16000' },
  });
  session.sendRealtimeInput({ activityEnd: {} });
  const { toolCall } = await until((message) => message.toolCall);
  const [call] = toolCall?.functionCalls ?? [];
  expect(call).toMatchObject({ name: 'look_up', args: { day: 'Tuesday' } });
  session.sendToolResponse({
    functionResponses: [{ id: call?.id ?? '', name: 'look_up', response: { result: 'Free at nine.' } }],
  });
  const { usageMetadata } = await until((message) => message.serverContent?.turnComplete);
  const said = (which: 'inputTranscription' | 'outputTranscription') =>
    messages.map((message) => message.serverContent?.[which]?.text ?? '').join('');
  expect([said('inputTranscription'), said('outputTranscription')]).toEqual(['when?', 'One moment.At nine.']);
  expect(messages.map(({ data }) => Buffer.from(data ?? '', 'base64').length).reduce((a, b) => a + b)).toBe(
    19 * 40 * 24 * 2,
  );
  expect(usageMetadata).toMatchObject({ promptTokenCount: 20, responseTokenCount: 10 });
  session.close();
});
