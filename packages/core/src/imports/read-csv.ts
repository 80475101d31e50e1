/**
 * Reads CSV record by record as it arrives, at the pace of its consumer. The only file that uses the parser
 * (csv-parse).
 */
import { pipeline, Readable } from 'node:stream';
import type { CsvDelimiter } from '@parley/contracts';
import { CsvError, parse } from 'csv-parse';
import { delimiterCharacters, isUtf16, sniffDelimiter } from './csv-dialect.rules.ts';
import { invalidFile } from './invalid-file.ts';

/** Enough for any reasonable first line. */
const SNIFFED_BYTES = 64 * 1024;
/** A longer record is the result of a missing quote. */
const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * The records of a file, empty ones included. Bytes that are no UTF-8 become U+FFFD.
 *
 * @param delimiter - absent: the one that the first line has most of
 * @throws DomainError `invalid` for UTF-16, and where a quote is never closed
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  delimiter?: CsvDelimiter,
): AsyncGenerator<string[]> {
  const source = bytes[Symbol.asyncIterator]();
  const start = await readStart(source);
  if (isUtf16(start)) throw invalidFile('The file is in UTF-16. Save it as "CSV UTF-8".');
  const parser = parse({
    bom: true,
    delimiter: delimiterCharacters[delimiter ?? sniffDelimiter(start.toString())],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  // The parser passes an error of its source on to its reader, below.
  pipeline(Readable.from(joined(start, source)), parser, () => undefined);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    throw error instanceof CsvError ? invalidFile(describe(error)) : error;
  }
}

/** The first line, or as much of it as the detection reads. */
async function readStart(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < SNIFFED_BYTES) {
    const next = await source.next();
    if (next.done) break;
    parts.push(next.value);
    length += next.value.byteLength;
    if (next.value.includes(0x0a)) break;
  }
  return Buffer.concat(parts);
}

async function* joined(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function describe(error: CsvError): string {
  const line = 'lines' in error ? ` near line ${String(error['lines'])}` : '';
  return `A quote${line} is opened and never closed, or a row is longer than 1 MiB.`;
}
