/**
 * The part of WASI (preview 1) that a command-line program needs to read its arguments and write one file. Files exist in
 * memory only; the program cannot open files of this machine. Node's own `node:wasi` would also work, but it writes real
 * files, needs real descriptors, and prints a warning in every thread that uses it.
 *
 * @see https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */
import { wasm, type WasmFunction, type WasmInstance, type WasmModule } from './web-assembly.ts';

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8; // `badf`
const NOT_SUPPORTED = 58; // `notsup`

const STANDARD_ERROR = 2;
const ROOT_DIRECTORY = 3;
const FIRST_FILE = 4;

const FILE_TYPE = { character: 2, directory: 3, regular: 4 };
/** All rights that preview 1 defines; they only affect the program's own memory. */
const ALL_RIGHTS = (1n << 29n) - 1n;

/** The result of a program. */
export interface WasiResult {
  exitCode: number;
  /** Written files by their path, without a leading slash. */
  files: ReadonlyMap<string, Uint8Array>;
  /** What it printed to its standard error. */
  errors: string;
}

/** Thrown by `proc_exit` to unwind the program; caught in this file. */
class ProgramExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super('exit');
    this.code = code;
  }
}

/** A loaded program. It can run once, because its memory is not reset. */
export class WasiProgram {
  readonly #instance: WasmInstance;
  #arguments: Uint8Array[] = [];
  readonly #names: string[] = [];
  /** Chunks written per descriptor; index 0 to 2 are the standard streams, 3 is the directory. */
  readonly #written: Uint8Array[][] = [[], [], [], []];

  constructor(module: WasmModule) {
    this.#instance = new wasm.Instance(module, { wasi_snapshot_preview1: this.#imports() });
  }

  /** @throws Error when the program crashes */
  run(programArguments: readonly string[]): WasiResult {
    const encoder = new TextEncoder();
    this.#arguments = programArguments.map((text) => encoder.encode(`${text}\0`));
    const exitCode = this.#start();
    const files = this.#names.map((name, i): [string, Uint8Array] => [name, this.#contents(FIRST_FILE + i)]);
    const errors = new TextDecoder().decode(this.#contents(STANDARD_ERROR));
    return { exitCode, files: new Map(files), errors };
  }

  #start(): number {
    const { _start: start } = this.#instance.exports;
    if (typeof start !== 'function') throw new TypeError('The WebAssembly file is not a WASI command');
    try {
      start();
      return 0;
    } catch (error) {
      if (error instanceof ProgramExit) return error.code;
      throw error;
    }
  }

  #contents(descriptor: number): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#written[descriptor] ?? []));
  }

  /** The memory may grow and move during the run, so views are created again for every call. */
  #view(): DataView {
    const { memory } = this.#instance.exports;
    if (!(memory instanceof wasm.Memory)) throw new TypeError('The WebAssembly file exports no memory');
    return new DataView(memory.buffer);
  }

  #bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#view().buffer, address, length);
  }

  /** All results are error codes; addresses are in the program's memory, numbers little-endian. */
  #imports(): Record<string, WasmFunction> {
    return {
      args_sizes_get: (count: number, size: number) => this.#argumentSizes(count, size),
      args_get: (pointers: number, text: number) => this.#argumentTexts(pointers, text),
      // The output must not depend on the time of day, so the program's clock always returns zero.
      clock_time_get: (_id: number, _precision: bigint, time: number) => {
        this.#view().setBigUint64(time, 0n, true);
        return SUCCESS;
      },
      fd_prestat_get: (descriptor: number, prestat: number) => this.#describeRoot(descriptor, prestat),
      fd_prestat_dir_name: (_descriptor: number, name: number, length: number) => {
        this.#bytes(name, length).set(new TextEncoder().encode('/').subarray(0, length));
        return SUCCESS;
      },
      fd_fdstat_get: (descriptor: number, status: number) => this.#describeFile(descriptor, status),
      fd_fdstat_set_flags: () => SUCCESS,
      fd_write: (descriptor: number, list: number, count: number, total: number) =>
        this.#write(descriptor, { list, count, total }),
      fd_close: () => SUCCESS,
      fd_read: () => BAD_DESCRIPTOR,
      fd_seek: () => NOT_SUPPORTED,
      path_open: (...given: [number, number, number, number, number, bigint, bigint, number, number]) =>
        this.#open({ path: given[2], length: given[3], opened: given[8] }),
      proc_exit: (code: number) => {
        throw new ProgramExit(code);
      },
    };
  }

  #argumentSizes(count: number, size: number): number {
    this.#view().setUint32(count, this.#arguments.length, true);
    this.#view().setUint32(size, sumOfLengths(this.#arguments), true);
    return SUCCESS;
  }

  #argumentTexts(pointers: number, text: number): number {
    let address = text;
    for (const [index, argument] of this.#arguments.entries()) {
      this.#view().setUint32(pointers + 4 * index, address, true);
      this.#bytes(address, argument.length).set(argument);
      address += argument.length;
    }
    return SUCCESS;
  }

  /** `prestat`: tag (0 = directory), then the length of its name. */
  #describeRoot(descriptor: number, prestat: number): number {
    if (descriptor !== ROOT_DIRECTORY) return BAD_DESCRIPTOR;
    this.#view().setUint32(prestat, 0, true);
    this.#view().setUint32(prestat + 4, 1, true);
    return SUCCESS;
  }

  /** `fdstat`, 24 bytes: file type, flags, rights, rights of what is opened below it. */
  #describeFile(descriptor: number, status: number): number {
    const isFile = descriptor >= FIRST_FILE;
    const other = descriptor === ROOT_DIRECTORY ? FILE_TYPE.directory : FILE_TYPE.character;
    this.#bytes(status, 24).fill(0);
    this.#view().setUint8(status, isFile ? FILE_TYPE.regular : other);
    this.#view().setBigUint64(status + 8, ALL_RIGHTS, true);
    this.#view().setBigUint64(status + 16, ALL_RIGHTS, true);
    return SUCCESS;
  }

  /** `list` holds `count` pairs of address and length; how much was written goes to `total`. */
  #write(descriptor: number, { list, count, total }: Record<'list' | 'count' | 'total', number>): number {
    const file = this.#written[descriptor];
    if (!file) return BAD_DESCRIPTOR;
    const view = this.#view();
    const chunks = Array.from({ length: count }, (_, index) => {
      const pair = list + 8 * index;
      return this.#bytes(view.getUint32(pair, true), view.getUint32(pair + 4, true)).slice();
    });
    file.push(...chunks);
    view.setUint32(total, sumOfLengths(chunks), true);
    return SUCCESS;
  }

  /** Every open makes a new empty file: the program has nothing to read. */
  #open({ path, length, opened }: Record<'path' | 'length' | 'opened', number>): number {
    this.#names.push(new TextDecoder().decode(this.#bytes(path, length)));
    this.#view().setUint32(opened, this.#written.push([]) - 1, true);
    return SUCCESS;
  }
}

function sumOfLengths(parts: readonly Uint8Array[]): number {
  return parts.reduce((total, part) => total + part.length, 0);
}
