/**
 * Content that stays the same and that anyone may ask for: it is compressed once for each encoding, so that a request costs
 * little more than sending the bytes.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';

/** Levels that take about a tenth of a second for each mebibyte, once. */
const packers: Record<Encoding, (content: Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
  identity: async (content) => content,
};

/** Content in memory. */
export class KeptContent {
  readonly #content: Buffer;
  readonly #type: string;
  /** A hash of the content, because the dates of installed files are arbitrary. */
  readonly #hash: string;
  readonly #packed = new Map<Encoding, Promise<Buffer>>();

  /** @param type - as for `response.type` */
  constructor(content: Buffer, type: string) {
    this.#content = content;
    this.#type = type;
    this.#hash = createHash('sha256').update(content).digest('base64url');
  }

  /** Answers a request with the content, or with 304. */
  async send(request: Request, response: Response): Promise<void> {
    const accepted = request.acceptsEncodings(['br', 'gzip', 'identity']);
    const encoding: Encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
    const packed = this.#packed.get(encoding) ?? packers[encoding](this.#content);
    this.#packed.set(encoding, packed);
    const body = await packed;
    response.vary('Accept-Encoding').set('ETag', `"${this.#hash}-${encoding}"`);
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.type(this.#type).send(body);
  }
}
