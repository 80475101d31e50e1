/** The subset of a `ws` WebSocket that media streams use. The socket is open. */
export interface StreamSocket {
  /** Bytes accepted by `send` that have not left yet. */
  readonly bufferedAmount: number;
  send(data: string): void;
  ping(): void;
  close(code?: number, reason?: string): void;
  /** Closes without sending what waits. */
  terminate(): void;
  on(event: 'message', listener: (data: StreamData, isBinary: boolean) => void): unknown;
  on(event: 'pong', listener: () => void): unknown;
  on(event: 'close', listener: (code: number) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The data of a `ws` message; with the default settings always a Buffer. */
export type StreamData = Buffer | ArrayBuffer | Buffer[];

/** The text of a message. */
export function textOf(data: StreamData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8');
}

/** WebSocket close codes (RFC 6455 section 7.4.1); 1005 stands for a close frame without a code. */
export const CLOSE_CODE = { normal: 1000, none: 1005, policyViolation: 1008 } as const;
