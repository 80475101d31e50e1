/**
 * Writes a message as bytes. The result contains exactly the given header fields, whatever their values: line ends become
 * spaces, and Content-Length is computed.
 */
import type { HeaderField, SipMessage } from './message.ts';

/** Writes a message as it goes onto the wire. */
export function serialiseMessage(message: SipMessage): Uint8Array {
  const lines = [
    startLine(message),
    ...message.headers.map(headerLine),
    `Content-Length: ${message.body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8'), message.body]);
}

function startLine(message: SipMessage): string {
  return message.kind === 'request'
    ? `${message.method} ${oneLine(message.uri)} SIP/2.0`
    : `SIP/2.0 ${message.status} ${oneLine(message.reason)}`;
}

function headerLine({ name, value }: HeaderField): string {
  return `${name}: ${oneLine(value)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ');
}
