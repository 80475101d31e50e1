/** Uploads of files, streamed. They are repeated only if they can be read again. */
import type { CsvUpload } from '@parley/contracts';

/** The `fetch` options of one try. */
export interface UploadInit {
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Required by `fetch` for streams. */
  duplex?: 'half';
}

/** Called with the number of bytes that this try has sent. */
export type OnUpload = (bytesSent: number) => void;

/** False for streams, which can be read only once. */
export function isRepeatableUpload(upload: CsvUpload): boolean {
  return typeof upload === 'string' || upload instanceof Uint8Array || upload instanceof Blob;
}

/** Creates the body of one try. Without `onUpload`, the size of the file is sent if it is known. */
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
