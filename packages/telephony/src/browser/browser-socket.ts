/**
 * The messages on the WebSocket between a browser and a leg.
 *
 * Binary messages, in both directions: mono Int16 little endian at 16 000 Hz, 320 samples (20 ms, 640 bytes). Text messages
 * are JSON objects with a `type`; unknown types are ignored, so that either side may add new ones.
 */

import { LONGEST_OFFER } from '../webrtc/session-offer.rules.ts';

/** The subset of a `ws` WebSocket that a leg uses. */
export interface BrowserSocket {
  /** {@link CLOSED} once the event `close` has come. */
  readonly readyState: number;
  /** Bytes accepted by `send` that have not left yet. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  on(event: 'message', listener: (data: BrowserData, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The state of a WebSocket that is closed (section 9.1 of the WebSocket API). */
export const CLOSED = 3;

/** The data of a `ws` message; with the default settings always a Buffer. */
export type BrowserData = Buffer | ArrayBuffer | Buffer[];

/** Text messages from the server. Voice adds further types, for example for the transcript. */
export type ServerMessage =
  /** The answer to the offer of the browser (SDP). */
  | { type: 'webrtc-answer'; sdp: string }
  /** What carries sound in both directions from now on. Before the first one: the WebSocket. */
  | { type: 'sound-path'; path: 'webrtc' | 'websocket' }
  /** The call is answered; audio may be sent. */
  | { type: 'ready'; sampleRateHz: number; frameSamples: number }
  /** Drop all audio that has not been played yet: the assistant was interrupted. */
  | { type: 'clear' }
  /** The last message before the close. */
  | { type: 'ended'; cause: string };

/** Text messages from the browser. */
export type ClientMessage =
  | { type: 'dtmf'; digit: string }
  | { type: 'hang-up' }
  /** The browser offers WebRTC (SDP). Only the first offer of a call is answered. */
  | { type: 'webrtc-offer'; sdp: string }
  /** It cannot use WebRTC, or not any more. */
  | { type: 'webrtc-failed' };

/** Maximum length of a text message, characters. */
const LONGEST_TEXT = 1000;
/** The same for an offer: with its line breaks escaped it is somewhat longer than {@link LONGEST_OFFER}. */
const LONGEST_OFFER_TEXT = LONGEST_OFFER + 2000;

/** Parses a text message; `null` for an unknown or malformed one. */
export function parseClientMessage(text: string): ClientMessage | null {
  if (text.length > LONGEST_OFFER_TEXT) return null;
  const message = parseObject(text);
  if (message?.type === 'webrtc-offer')
    return typeof message.sdp === 'string' ? { type: 'webrtc-offer', sdp: message.sdp } : null;
  if (text.length > LONGEST_TEXT) return null;
  if (message?.type === 'hang-up' || message?.type === 'webrtc-failed') return { type: message.type };
  if (message?.type !== 'dtmf' || typeof message.digit !== 'string') return null;
  return /^[0-9*#A-D]$/.test(message.digit) ? { type: 'dtmf', digit: message.digit } : null;
}

function parseObject(text: string): { type?: unknown; digit?: unknown; sdp?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** The samples of a binary message; `null` when it is empty, odd or longer than half a second. */
export function samplesOf(data: Uint8Array): Int16Array | null {
  if (data.length === 0 || data.length % 2 === 1 || data.length > 16_000) return null;
  // A copy, because the bytes need not lie on an even address.
  return new Int16Array(new Uint8Array(data).buffer);
}
