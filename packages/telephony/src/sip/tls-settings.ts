/**
 * What TLS needs: the certificates that we trust, and our own certificate, which is read again when its files change, so that
 * a renewal needs no restart.
 */
import { readFile } from 'node:fs/promises';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Clock, Log, Timer } from '@parley/runtime';

/** The files, in PEM. */
export interface TlsFiles {
  /** Our certificate with its chain, and its key; absent: no inbound connections over TLS. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** Certificates to trust besides those of the system, for example that of a PBX with its own authority. */
  caFile?: string | undefined;
}

/** How often the files are compared with what is in use, milliseconds. */
export const RELOAD_MS = 30_000;
/** RFC 8996: TLS 1.0 and 1.1 "MUST NOT be used". */
const MIN_VERSION = 'TLSv1.2';

interface Content {
  cert: string | null;
  key: string | null;
  ca: string | null;
}

/** Takes our certificate, at first and after each change. */
type TakeServer = (server: { cert: string; key: string; minVersion: typeof MIN_VERSION }) => void;

/** The contexts of one endpoint, from {@link open} to {@link close}. */
export class TlsSettings {
  readonly #files: TlsFiles;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onServerChange: TakeServer;
  #content: Content = { cert: null, key: null, ca: null };
  #client: SecureContext | null = null;
  #timer: Timer | null = null;
  #isClosed = false;

  constructor(files: TlsFiles, { clock, log }: { clock: Clock; log: Log }, onServerChange: TakeServer) {
    this.#files = files;
    this.#clock = clock;
    this.#log = log;
    this.#onServerChange = onServerChange;
  }

  /** True when we can accept connections. */
  get hasCertificate(): boolean {
    return this.#files.certFile !== undefined && this.#files.keyFile !== undefined;
  }

  /** @throws Error when a file cannot be read or used */
  async open(): Promise<void> {
    this.#use(await this.#read());
    if (Object.keys(this.#files).length > 0) this.#watch();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** The context of outbound connections. Without an open call of TLS it costs nothing. */
  client(): SecureContext {
    const { ca } = this.#content;
    const known = [...getCACertificates('default'), ...getCACertificates('system')];
    this.#client ??= createSecureContext({
      minVersion: MIN_VERSION,
      ca: ca === null ? known : [...known, ca],
    });
    return this.#client;
  }

  #watch(): void {
    this.#timer = this.#clock.after(RELOAD_MS, () => {
      this.#reload().catch((error: unknown) =>
        // While a renewal writes its files, certificate and key may not fit each other. The next look finds both.
        this.#log.warn({ err: error }, 'The certificate of SIP over TLS could not be read again'),
      );
    });
  }

  async #reload(): Promise<void> {
    try {
      const content = await this.#read();
      if (!this.#isClosed && !isSame(content, this.#content)) {
        this.#use(content);
        this.#log.info({}, 'The certificates of SIP over TLS were read again');
      }
    } finally {
      if (!this.#isClosed) this.#watch();
    }
  }

  async #read(): Promise<Content> {
    const { certFile, keyFile, caFile } = this.#files;
    const [cert, key, ca] = await Promise.all([certFile, keyFile, caFile].map(readOptional));
    return { cert: cert ?? null, key: key ?? null, ca: ca ?? null };
  }

  /** @throws Error when the certificate and the key do not belong together */
  #use(content: Content): void {
    const { cert, key, ca } = content;
    if (ca !== null) createSecureContext({ ca });
    if (cert !== null && key !== null) {
      createSecureContext({ cert, key });
      this.#onServerChange({ cert, key, minVersion: MIN_VERSION });
    }
    this.#content = content;
    this.#client = null;
  }
}

async function readOptional(file: string | undefined): Promise<string | null> {
  return file === undefined ? null : readFile(file, 'utf8');
}

function isSame(one: Content, other: Content): boolean {
  return one.cert === other.cert && one.key === other.key && one.ca === other.ca;
}
