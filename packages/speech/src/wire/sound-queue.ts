/** A queue of the pieces of one answer, between a socket and a listener. */
import type { SpeechError } from '../ports.ts';

/** Written by one, read by one. */
export class SoundQueue<Piece = Uint8Array> implements AsyncIterable<Piece> {
  #pieces: Piece[] = [];
  #end: { error: SpeechError | null } | null = null;
  #wake: () => void = () => {};

  /** Ignored after the end. */
  push(piece: Piece): void {
    if (this.#end) return;
    this.#pieces.push(piece);
    this.#wake();
  }

  /** Without an error the sound is complete. What came before is still read. The first end stands. */
  end(error: SpeechError | null = null): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Piece> {
    for (;;) {
      yield* this.#pieces.splice(0);
      if (this.#pieces.length > 0) continue;
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
