/**
 * Reads a JSON body: refuses other types (415), too much (413), what is no JSON (400), and text that Postgres cannot
 * keep (422). What is no object becomes an empty one, so that the schema can say which fields are missing.
 */
import { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorText, fieldFault, findUnstorable, isPlainObject, wording } from '@parley/contracts';
import { DomainError } from '@parley/core';
import { refusal, type RefusedRequest } from '../http-errors.ts';
import { hasBody } from './body-time.ts';

/** After unpacking. */
const MAX_BODY_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
/** JSON is UTF-8 (RFC 8259, section 8.1); what says otherwise would be misread. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;

const UNPACKERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** @throws RefusedRequest 400, 413 or 415 */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type)) throw refusal(415, errorText.notJsonType);
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  // The client has left: there is nothing to wait for.
  if (request.destroyed) throw unreadable();
  const content = unpacked(request);
  const isHere = content === request && request.complete;
  const body = parse(isHere ? takeAll(request) : await readAll(content));
  return isPlainObject(body) ? body : {};
}

/** A small body has come whole by the time that its token is known: reading it event by event would cost ten times this. */
function takeAll(request: IncomingMessage): string {
  const bytes = request.read() as Buffer | null;
  if (bytes !== null && bytes.length > MAX_BODY_BYTES) throw tooLarge();
  return bytes?.toString() ?? '';
}

function unpacked(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  const unpacker = UNPACKERS.get(encoding)?.();
  if (!unpacker) throw refusal(415, errorText.notJsonType);
  request.once('error', () => unpacker.destroy());
  return request.pipe(unpacker);
}

/** What is left unread of a body that is refused, Node throws away when the answer is through. */
function readAll(content: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) return void chunks.push(chunk);
      content.off('data', take);
      if (content instanceof IncomingMessage) content.pause();
      else content.destroy();
      reject(tooLarge());
    };
    content.on('data', take);
    content.once('end', () => resolve(Buffer.concat(chunks, bytes).toString()));
    // Packed wrongly, or the client has left.
    content.once('error', () => reject(unreadable()));
    content.once('close', () => {
      // It follows every end too, and an error that nobody sees is dear.
      if (!content.readableEnded) reject(unreadable());
    });
  });
}

const BYTE_ORDER_MARK = '\u{feff}';

function parse(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw unreadable();
  }
}

const tooLarge = (): RefusedRequest => refusal(413, errorText.tooLarge);
const unreadable = (): RefusedRequest => refusal(400, errorText.notJson);

/** @throws DomainError `invalid` for text that cannot be stored, in a body or a query */
export function refuseUnstorable(value: unknown): void {
  const path = findUnstorable(value);
  if (!path) return;
  throw new DomainError('invalid', errorText.invalidData, {
    fields: fieldFault(path.join('.'), wording.format),
  });
}
