/** The package brings no types. What its WebAssembly build offers, as far as it is used here. */
declare module '@echogarden/rnnoise-wasm' {
  /** The compiled library with its own memory. Addresses are bytes. */
  interface RnnoiseLibrary {
    /** Another object each time the memory has grown. */
    readonly HEAPF32: Float32Array;
    /** @param model - address of a model; 0 for the one inside the library */
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** Cleans 480 samples at 48 000 Hz, full scale 32 768. @returns the probability of speech */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
    _malloc(bytes: number): number;
    _free(address: number): void;
  }
  export default function load(): Promise<RnnoiseLibrary>;
}
