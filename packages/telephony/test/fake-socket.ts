/** The WebSocket of a browser leg, for tests. */
import { EventEmitter } from 'node:events';
import type { BrowserData, BrowserSocket } from '../src/browser/browser-socket.ts';

/** The server's end of a WebSocket, as `ws` would show it; `sent` is what the browser gets. */
export class FakeSocket
  extends EventEmitter<{ message: [BrowserData, boolean]; close: []; error: [Error] }>
  implements BrowserSocket
{
  readonly readyState = 1;
  bufferedAmount = 0;
  isClosed = false;
  readonly sent: (Record<string, unknown> | Uint8Array)[] = [];

  send(data: string | Uint8Array): void {
    this.sent.push(typeof data === 'string' ? (JSON.parse(data) as Record<string, unknown>) : data);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.emit('close');
  }

  /** All text messages that were sent. */
  texts(): unknown[] {
    return this.sent.filter((message) => !(message instanceof Uint8Array));
  }

  /** All sound sent to the browser. */
  sound(): Int16Array {
    const frames = this.sent.filter((message) => message instanceof Uint8Array);
    return Int16Array.from(frames.flatMap((bytes) => [...new Int16Array(bytes.slice().buffer)]));
  }

  /** The browser sends sound. */
  say(samples: Int16Array): void {
    this.emit('message', Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), true);
  }

  /** The browser sends a text message. */
  tell(text: string): void {
    this.emit('message', Buffer.from(text), false);
  }
}
