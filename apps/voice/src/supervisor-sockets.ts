/** The WebSockets of supervisors: the api forwards them with a ticket that names the call. */
import { supervisionClientMessage } from '@parley/contracts';
import { MessageAllowance } from '@parley/runtime';
import { SOUND_MESSAGES } from '@parley/telephony';
import type { VoiceContext } from './voice-context.ts';
import { CLOSE, type SupervisorLink } from './supervision/call-supervision.ts';
import type { WebSocket } from 'ws';

/** A frame of half a second, in bytes: more is no sound of a microphone. */
const MOST_SOUND_BYTES = 16_000;

/** Connects a supervisor to the call of the ticket, or closes the socket. */
export function takeSupervisor({ calls, core }: VoiceContext, socket: WebSocket, ticket: string): void {
  const [callId = '', secret = ''] = ticket.split('.');
  const supervision = calls.find(Number(callId))?.supervision?.();
  const link = supervision?.accept(socket, secret);
  if (!supervision) socket.close(CLOSE.badTicket, 'The ticket is not valid any more');
  if (link) follow(socket, link, new MessageAllowance(core.clock, SOUND_MESSAGES));
}

function follow(socket: WebSocket, link: SupervisorLink, allowance: MessageAllowance): void {
  let isWanted = false;
  socket.on('message', (data: Buffer, isBinary) => {
    if (!allowance.take()) return socket.terminate();
    if (isBinary) {
      const samples = samplesOf(data);
      if (samples) link.hear(samples);
    } else if (isGiveBack(data)) {
      isWanted = true;
      socket.close(CLOSE.normal, 'Given back');
      link.leave(true);
    }
  });
  socket.on('close', () => link.leave(isWanted));
  // The event `close` follows.
  socket.on('error', () => undefined);
}

/** A copy, because the bytes need not lie on an even address; null for what is no sound. */
function samplesOf(data: Buffer): Int16Array | null {
  if (data.length === 0 || data.length % 2 === 1 || data.length > MOST_SOUND_BYTES) return null;
  return new Int16Array(new Uint8Array(data).buffer);
}

function isGiveBack(data: Buffer): boolean {
  try {
    return supervisionClientMessage.safeParse(JSON.parse(data.toString())).success;
  } catch {
    return false;
  }
}
