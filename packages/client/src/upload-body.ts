/** Bodies that are files: sent as they are, piece by piece, and again only where they can be read again. */
import type { CsvUpload } from '@parley/contracts';

/** What one try sends. */
export interface UploadInit {
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Fetch wants to be told that it need not wait for the end of a stream. */
  duplex?: 'half';
}

/** Called with the bytes that this try has sent so far. */
export type OnUpload = (bytesSent: number) => void;

/** A stream is gone once it was read. */
export function isRepeatableUpload(upload: CsvUpload): boolean {
  return typeof upload === 'string' || upload instanceof Uint8Array || upload instanceof Blob;
}

/** Fresh for each try. Without `onUpload` the size of a file goes along, where it is known. */
export function uploadInit(upload: CsvUpload, onUpload?: OnUpload): UploadInit {
  if (onUpload === undefined && (typeof upload === 'string' || !(Symbol.asyncIterator in upload)))
    return { body: upload };
  return { body: ReadableStream.from(counted(piecesOf(upload), onUpload)), duplex: 'half' };
}

function piecesOf(upload: CsvUpload): AsyncIterable<Uint8Array<ArrayBuffer>> {
  if (upload instanceof Blob) return upload.stream();
  if (typeof upload === 'string' || upload instanceof Uint8Array) return new Blob([upload]).stream();
  return upload;
}

async function* counted(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onUpload: OnUpload = () => undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytesSent = 0;
  for await (const piece of pieces) {
    yield piece;
    bytesSent += piece.byteLength;
    onUpload(bytesSent);
  }
}
