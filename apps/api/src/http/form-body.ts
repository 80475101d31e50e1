/**
 * Bodies of `multipart/form-data` (RFC 7578) as the fields of the JSON body that the endpoint takes: texts stay texts, a
 * file becomes base64. Existing clients send files this way.
 */
import { MIMEType } from 'node:util';
import { metadataOf } from '@parley/contracts';
import type { NextFunction } from 'express';
import { refusal } from '../http-errors.ts';
import type { RestRequest } from './rest-request.ts';

const FORM_TYPE = /^multipart\/form-data\s*;/i;
const NOT_A_FORM = 'The request body is not a valid form.';
/** Parts of one form. */
const MAX_PARTS = 20;
/** Bytes of the head of a part, which has its name and that of its file. */
const MAX_HEAD_BYTES = 8192;

/** True for a form at an endpoint that accepts one. */
export function isForm(request: RestRequest): boolean {
  const { acceptsForm } = metadataOf(request.tsRestRoute);
  return acceptsForm === true && FORM_TYPE.test(request.get('content-type') ?? '');
}

/** `next` gets a RefusedRequest: 413 above the limit of the endpoint, 400 for anything that is no form. */
export async function parseForm(request: RestRequest, next: NextFunction): Promise<void> {
  try {
    request.body = await readForm(request);
  } catch (error) {
    next(error);
    return;
  }
  next();
}

async function readForm(request: RestRequest): Promise<Record<string, string>> {
  const { maxBodyBytes = 0 } = metadataOf(request.tsRestRoute);
  const content = await readAll(request, maxBodyBytes);
  const type = request.get('content-type') ?? '';
  refuseCostly(content, type);
  const parts = await parse(content, type);
  const body: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of parts)
    body[name] =
      typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64');
  return { ...body };
}

async function readAll(request: RestRequest, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw refusal(413, `The request body must not be larger than ${maxBytes / 1024 ** 2} MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Counts the parts and measures their heads before they are read: a body of nothing but parts, or a long head, takes the
 * library a tenth of a second of processor time for each mebibyte.
 */
function refuseCostly(content: Buffer, type: string): void {
  const delimiter = Buffer.from(`--${boundaryOf(type)}`);
  let parts = 0;
  for (let at = content.indexOf(delimiter); at !== -1; at = content.indexOf(delimiter, at)) {
    at += delimiter.length;
    if (content.toString('latin1', at, at + 2) === '--') return;
    parts++;
    if (parts > MAX_PARTS) throw refusal(400, `A form must not have more than ${MAX_PARTS} parts.`);
    const head = content.subarray(at, at + MAX_HEAD_BYTES);
    if (!head.includes('\r\n\r\n')) throw refusal(400, NOT_A_FORM);
  }
}

/** Empty for a type without one, which no form has. */
function boundaryOf(type: string): string {
  try {
    return new MIMEType(type).params.get('boundary') ?? '';
  } catch {
    return '';
  }
}

async function parse(content: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(content), { headers: { 'content-type': type } }).formData();
  } catch {
    throw refusal(400, NOT_A_FORM);
  }
}
