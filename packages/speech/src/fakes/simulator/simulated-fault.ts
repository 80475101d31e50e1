/** What a simulated provider can be told to do wrong, over HTTP and on sockets alike. */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** How the next reply, or the next socket, goes wrong. `after` counts the pieces or messages sent before that. */
export type SimulatedFault =
  | { type: 'status'; status: number; message: string } // refuses, also the upgrade to a socket
  | { type: 'delay'; ms: number } // before the first piece
  | { type: 'stall'; after: number } // says nothing more and keeps the connection
  | { type: 'garbage'; after: number } // sends what is not in the protocol, then ends
  | { type: 'cut'; after: number } // breaks the connection
  | { type: 'unfinished'; after: number } // ends in good order, but early
  | { type: 'half-close'; after: number } // ends its own half of the connection without a word, and still listens
  | { type: 'close'; after: number; code: number; reason: string } // ends a socket and says why
  | { type: 'deaf' }; // reads nothing from a socket

/** The faults that lie between two pieces. */
export type FaultBetweenPieces = Extract<SimulatedFault, { after: number }>;

/** @returns the fault when it is now that it happens */
export function dueFault(fault: SimulatedFault | undefined, sent: number): FaultBetweenPieces | null {
  return fault && 'after' in fault && fault.after === sent ? fault : null;
}

/** What was written is sent first, so that the fault lies where the test puts it. */
export function misbehaveOverHttp(response: ServerResponse, fault: FaultBetweenPieces): void {
  if (fault.type === 'garbage') response.end('data: {"choices": [{"delta"\n\ndata: }{\n\n');
  if (fault.type === 'cut') response.write('', () => response.destroy());
  if (fault.type === 'unfinished') response.end();
  if (fault.type === 'half-close') response.write('', () => response.socket?.end());
}

/**
 * @see misbehaveOverHttp
 * @param stream - what the socket runs on
 */
export function misbehaveOnSocket(socket: WebSocket, stream: Duplex, fault: FaultBetweenPieces): void {
  if (fault.type === 'garbage') socket.send('{"type": "Res');
  if (fault.type === 'cut') socket.terminate();
  if (fault.type === 'unfinished') socket.close(1011, 'going away');
  if (fault.type === 'half-close') stream.end();
  if (fault.type === 'close') socket.close(fault.code, fault.reason);
}
