/**
 * Reads CSV record by record as it arrives, at the pace of its consumer. The only file that uses the parser
 * (csv-parse).
 */
import { pipeline, Readable } from 'node:stream';
import type { CsvDelimiter } from '@parley/contracts';
import { CsvError, parse } from 'csv-parse';
import { delimiterCharacters, sniffDelimiter } from './csv-dialect.rules.ts';
import { decodeText } from './decode-text.ts';
import { invalidFile } from './invalid-file.ts';

/** Enough for any reasonable first line. */
const SNIFFED_LENGTH = 64 * 1024;
/** How every .xlsx file begins, because it is a ZIP archive. */
const ZIP_START = 'PK\u0003\u0004';
/** A longer record is the result of a missing quote. */
const MAX_RECORD_BYTES = 1024 * 1024;
/** More than any lead has columns. Each cell takes memory, even an empty one of which a file needs a byte. */
const MAX_CELLS = 1000;

/**
 * The records of a file, empty ones included, in any encoding that `decodeText` reads.
 *
 * @param delimiter - absent: the one that the first line has most of
 * @throws DomainError `invalid` for an Excel file, for a row with too many cells, and where a quote is never closed
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  delimiter?: CsvDelimiter,
): AsyncGenerator<string[]> {
  const source = decodeText(bytes);
  const start = await readStart(source);
  if (start.startsWith(ZIP_START))
    throw invalidFile(
      'This is not a CSV file. Save it as "CSV UTF-8", or import the Excel file in the admin app.',
    );
  const parser = parse({
    delimiter: delimiterCharacters[delimiter ?? sniffDelimiter(start)],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  // The parser passes an error of its source on to its reader, below.
  pipeline(Readable.from(joined(start, source)), parser, () => undefined);
  try {
    for await (const record of parser) yield checked(record as string[]);
  } catch (error) {
    throw error instanceof CsvError ? invalidFile(describe(error)) : error;
  }
}

/** Spreadsheets may write empty cells up to their last column; these are left out. */
function checked(record: string[]): string[] {
  if (record.length <= MAX_CELLS) return record;
  const length = record.findLastIndex((cell) => cell !== '') + 1;
  if (length > MAX_CELLS) throw invalidFile(`A row of the file has more than ${MAX_CELLS} cells.`);
  return record.slice(0, length);
}

/** The first line, or as much of it as the detection reads. */
async function readStart(source: AsyncIterator<string>): Promise<string> {
  let start = '';
  while (start.length < SNIFFED_LENGTH && !start.includes('\n')) {
    const next = await source.next();
    if (next.done) break;
    start += next.value;
  }
  return start;
}

async function* joined(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield start;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** Names the row as a spreadsheet counts it. The parser's own number of the line is that of the end of the file. */
function describe(error: CsvError): string {
  const row = 'records' in error ? ` in row ${Number(error['records']) + 1}` : '';
  return `A quote${row} is opened and never closed, or the row is longer than 1 MiB.`;
}
