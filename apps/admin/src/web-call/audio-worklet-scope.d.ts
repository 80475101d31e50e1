/**
 * The globals of an AudioWorklet's thread, which TypeScript's DOM library does not describe.
 * Source: Web Audio API 1.1, section "The AudioWorkletGlobalScope Interface".
 */

/** Rate of the AudioContext the worklet belongs to, in Hz. */
declare const sampleRate: number;

declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  /** Called for every 128 samples; returns whether the node must be kept alive. */
  abstract process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
