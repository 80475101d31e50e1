/** The `Range` header of a download (RFC 9110 section 14): one range of bytes, or the whole file. */

/** The part of the file to send. */
export type RangeAnswer =
  | { kind: 'whole' }
  /** First and last byte, both included. */
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * @param header - `bytes=0-499`, `bytes=500-` or `bytes=-500`; anything else, several ranges included, selects the
 *   whole file: "A server MAY ignore the Range header field" (section 14.2)
 * @param size - bytes of the file
 */
export function chooseRange(header: string | undefined, size: number): RangeAnswer {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (!match || (first === '' && last === '')) return { kind: 'whole' };
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  return start < size ? { kind: 'part', start, end } : { kind: 'unsatisfiable' };
}

/** The last `length` bytes. */
function suffix(length: number, size: number): RangeAnswer {
  if (length === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', start: Math.max(0, size - length), end: size - 1 };
}
