/** What the protocols of carriers that stream calls to us have in common, and the interface behind which they differ. */

/** What the carrier says about a stream when it begins. */
export interface CarrierStreamStart {
  /** The carrier's id of the stream. */
  streamSid: string;
  /** The carrier's id of the call. */
  callSid: string;
  /** How the sound of the caller is coded. What we send is always PCMU. */
  codec: 'PCMU' | 'PCMA';
  /** What the markup of the call contains as `<Parameter>`. */
  parameters: Readonly<Record<string, string>>;
}

/** A message of the carrier. Null as its number: the carrier has not numbered it. */
export type CarrierMessage =
  | { type: 'connected' }
  | { type: 'start'; number: number; start: CarrierStreamStart }
  /** `chunk` counts the frames of the caller; null: they come in order. */
  | { type: 'media'; number: number; payload: Buffer; chunk: number | null }
  | { type: 'dtmf'; number: number | null; digit: string }
  | { type: 'mark'; number: number | null; name: string }
  /** Something was wrong, by the carrier. The stream goes on. */
  | { type: 'error'; number: number | null; detail: string }
  | { type: 'stop'; number: number | null };

/** A message about a stream. */
export type NumberedMessage = Exclude<CarrierMessage, { type: 'connected' }>;

/** The messages of one carrier, which are JSON objects in text messages. */
export interface CarrierProtocol {
  /** @returns null for what is not in the protocol */
  parse(text: string): CarrierMessage | null;
  /** A message with sound to be played: PCMU, 8000 Hz. */
  writeMedia(streamSid: string, payload: Uint8Array): string;
  /** Comes back when the sound before it was played, or dropped by `clear`. */
  writeMark(streamSid: string, name: string): string;
  /** Drops all sound that was not played yet. */
  writeClear(streamSid: string): string;
}
