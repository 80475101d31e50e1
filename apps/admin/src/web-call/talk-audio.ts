/**
 * Microphone and loudspeaker of one conversation: an AudioContext with the two worklets. The context
 * runs at the wire's rate where the browser can connect a microphone to such a context, otherwise at
 * the hardware's rate, and then the worklets change the rate.
 */
import { inBackground } from '../client/in-background.ts';
import { WIRE_RATE_HZ } from './talk-wire.ts';
import type { CapturedFrame, PlaybackCommand, PlaybackReport } from './worklet-messages.ts';

/** Receives captured frames and playback reports. */
export interface TalkAudioListener {
  onFrame: (frame: CapturedFrame) => void;
  onPlayback: (report: PlaybackReport) => void;
}

/** Sound in both directions, until stopped. */
export interface TalkAudio {
  /** Plays a frame from the wire: 320 samples, Int16. Takes the buffer over. */
  play: (pcm: ArrayBuffer) => void;
  /** Plays the sound of a WebRTC connection from here on, beside the frames. */
  playStream: (stream: MediaStream) => void;
  /** Drops what has not been played yet. */
  clear: () => void;
  setMuted: (isMuted: boolean) => void;
  /** Switches the microphone off and leaves the loudspeaker on. */
  stopCapture: () => void;
  /** Switches both off. Stopping twice is fine. */
  stop: () => Promise<void>;
}

/** Asks for the microphone. @throws DOMException, whose name says why not */
export async function openMicrophone(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
  });
}

interface ContextWithSource {
  context: AudioContext;
  source: MediaStreamAudioSourceNode;
}

/** Firefox cannot connect a microphone to a context of another rate than the hardware's. */
async function openContext(microphone: MediaStream): Promise<ContextWithSource> {
  const context = new AudioContext({ sampleRate: WIRE_RATE_HZ, latencyHint: 'interactive' });
  try {
    return { context, source: context.createMediaStreamSource(microphone) };
  } catch {
    await context.close();
    const atHardwareRate = new AudioContext({ latencyHint: 'interactive' });
    return { context: atHardwareRate, source: atHardwareRate.createMediaStreamSource(microphone) };
  }
}

function connectCapture({ context, source }: ContextWithSource, listener: TalkAudioListener): void {
  const capture = new AudioWorkletNode(context, 'parley-capture', { numberOfOutputs: 0 });
  capture.port.addEventListener('message', (event: MessageEvent<CapturedFrame>) =>
    listener.onFrame(event.data),
  );
  capture.port.start();
  source.connect(capture);
}

function connectPlayback(context: AudioContext, listener: TalkAudioListener): AudioWorkletNode {
  const playback = new AudioWorkletNode(context, 'parley-playback', {
    channelCount: 1,
    channelCountMode: 'explicit',
    outputChannelCount: [1],
  });
  playback.port.addEventListener('message', (event: MessageEvent<PlaybackReport>) =>
    listener.onPlayback(event.data),
  );
  playback.port.start();
  playback.connect(context.destination);
  return playback;
}

/**
 * Connects a stream of the network to the loudspeaker. Browsers by Chromium let a stream flow into an AudioContext only while
 * an element plays it too, muted here.
 */
function connectStream(context: AudioContext, playback: AudioWorkletNode, stream: MediaStream): () => void {
  const element = new Audio();
  element.muted = true;
  element.srcObject = stream;
  inBackground(element.play());
  const source = context.createMediaStreamSource(stream);
  source.connect(playback);
  return () => {
    source.disconnect();
    element.srcObject = null;
  };
}

/**
 * @param microphone - null: sound is only played
 * @param workletUrls - the scripts of the audio worklets
 */
async function connect(
  microphone: MediaStream | null,
  listener: TalkAudioListener,
  workletUrls: readonly string[],
): Promise<TalkAudio> {
  const opened = microphone && (await openContext(microphone));
  const context = opened?.context ?? new AudioContext({ latencyHint: 'interactive' });
  await Promise.all(workletUrls.map((url) => context.audioWorklet.addModule(url)));
  const playback = connectPlayback(context, listener);
  if (opened) connectCapture(opened, listener);
  await context.resume();
  const tell = (command: PlaybackCommand, transfer: Transferable[] = []): void =>
    playback.port.postMessage(command, transfer);
  const stopCapture = (): void => microphone?.getTracks().forEach((track) => track.stop());
  let closing: Promise<void> | null = null;
  let disconnect = (): void => undefined;
  return {
    play: (pcm) => tell({ type: 'frame', pcm }, [pcm]),
    playStream: (stream) => {
      disconnect();
      disconnect = connectStream(context, playback, stream);
    },
    clear: () => tell({ type: 'clear' }),
    setMuted: (isMuted) => microphone?.getAudioTracks().forEach((track) => (track.enabled = !isMuted)),
    stopCapture,
    stop: () => {
      stopCapture();
      disconnect();
      closing ??= context.close();
      return closing;
    },
  };
}

/** Plays sound without a microphone. */
export async function openLoudspeaker(
  onPlayback: TalkAudioListener['onPlayback'],
  workletUrls: readonly string[],
): Promise<TalkAudio> {
  return connect(null, { onFrame: () => undefined, onPlayback }, workletUrls);
}

/**
 * Starts sound in both directions. The microphone belongs to the result from here on, and is switched
 * off if nothing comes of it.
 *
 * @param workletUrls - of the files with the two worklets: content policies of pages forbid worklets from blobs
 */
export async function openTalkAudio(
  microphone: MediaStream,
  listener: TalkAudioListener,
  workletUrls: readonly string[],
): Promise<TalkAudio> {
  try {
    return await connect(microphone, listener, workletUrls);
  } catch (error) {
    microphone.getTracks().forEach((track) => track.stop());
    throw error;
  }
}
