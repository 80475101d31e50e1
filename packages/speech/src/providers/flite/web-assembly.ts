/**
 * The part of the global `WebAssembly` that is used here, typed: TypeScript ships these types only with a browser's, and
 * a server package must not see those.
 */

/** A compiled program. Opaque. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}
/** A program in its own memory. */
export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}
/** Numbers are 32-bit integers, bigints 64-bit ones. */
export type WasmFunction = (...given: never[]) => number;
interface WasmMemory {
  /** Another object each time the memory has grown. */
  readonly buffer: ArrayBuffer;
}

interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => WasmModule;
  Instance: new (module: WasmModule, imports: Record<string, Record<string, WasmFunction>>) => WasmInstance;
  Memory: new (size: { initial: number }) => WasmMemory;
}

/** The same object as the global of this name. */
export const wasm = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
