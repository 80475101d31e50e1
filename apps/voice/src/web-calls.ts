/**
 * The WebSockets that the api forwards, with single-use tickets: of calls from a browser, of calls that carriers stream to us,
 * and of supervisors. The socket of a call becomes a leg, and from there a web call is handled like any other call.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  CARRIER_STREAM_PATH,
  SUPERVISION_PATH,
  WEB_CALL_PATH,
  WEB_CALL_WEBRTC,
  type WebCallServerMessage,
} from '@parley/contracts';
import { claimWebCall } from '@parley/core';
import { refuseUpgrade } from '@parley/runtime';
import { createBrowserLeg } from '@parley/telephony';
import { WebSocketServer, type WebSocket } from 'ws';
import { holdCall, type IncomingCallOptions } from './hold-call.ts';
import type { InternalAccess } from './internal-access.ts';
import { takeStreamedCall } from './streamed-calls.ts';
import { takeSupervisor } from './supervisor-sockets.ts';
import type { VoiceContext } from './voice-context.ts';

/** The largest message a browser may send: a second of sound is far more than one frame. */
const MAX_MESSAGE_BYTES = 32_000;
/** WebSocket close code for an invalid ticket (application range, RFC 6455 section 7.4.2). */
const CLOSE_BAD_TICKET = 4403;
/** WebSocket close code "try again later" (RFC 6455 registry). */
const CLOSE_BUSY = 1013;

/** WebSocket close code for an error of the server (RFC 6455 section 7.4.1). */
const CLOSE_INTERNAL_ERROR = 1011;

const PATHS = [WEB_CALL_PATH, SUPERVISION_PATH, CARRIER_STREAM_PATH];

/** Accepts WebSocket upgrades on the internal server. */
export function serveWebCalls(server: Server, voice: VoiceContext, access: InternalAccess): WebSocketServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without this listener, a connection error would end the process with all its calls.
    socket.on('error', () => socket.destroy());
    const url = URL.parse(request.url ?? '/', 'http://voice');
    const isSupervisor = url?.pathname === SUPERVISION_PATH;
    if (!url || !PATHS.includes(url.pathname) || !access.admits(request)) return refuseUpgrade(socket, 404);
    sockets.handleUpgrade(request, socket, head, (client) => {
      // From the first moment, also while a ticket is looked up: an invalid frame would end the process with all its calls. The
      // event `close` follows.
      client.on('error', (error) => voice.core.log.debug({ err: error }, 'A WebSocket has failed'));
      const ticket = url.searchParams.get('ticket') ?? '';
      if (isSupervisor) return takeSupervisor(voice, client, ticket);
      if (url.pathname === CARRIER_STREAM_PATH) {
        const carrier = url.searchParams.get('carrier') === 'telnyx' ? 'telnyx' : 'twilio';
        voice.background.start('take a call from a carrier', () => takeStreamedCall(voice, client, carrier));
        return;
      }
      // Pages that were loaded before an update, and other programs, offer no WebRTC.
      const offersWebRtc = url.searchParams.get(WEB_CALL_WEBRTC) === '1';
      voice.background.start('take a call from a browser', () =>
        takeWebCall(voice, { socket: client, ticket, offersWebRtc }),
      );
    });
  });
  return sockets;
}

/** A socket that has asked for a call. */
interface WebCaller {
  socket: WebSocket;
  ticket: string;
  offersWebRtc: boolean;
}

async function takeWebCall(voice: VoiceContext, caller: WebCaller): Promise<void> {
  const { socket, ticket } = caller;
  const slot = voice.calls.reserve();
  try {
    if (!slot || !voice.lease.isRegistered()) return socket.close(CLOSE_BUSY, 'No free slot');
    const fence = voice.lease.fence();
    const call = await claimWebCall(voice.core, { ticket, voiceProcess: fence });
    if (!call) return socket.close(CLOSE_BAD_TICKET, 'The ticket is not valid any more');
    slot.callId = call.callId;
    await talk({ voice, call, fence }, caller);
  } catch (error) {
    voice.core.log.error({ err: error }, 'A web call could not be accepted');
    socket.close(CLOSE_INTERNAL_ERROR, 'Internal error');
  } finally {
    slot?.release();
  }
}

async function talk(
  { voice, call, fence }: Pick<IncomingCallOptions, 'voice' | 'call' | 'fence'>,
  { socket, offersWebRtc }: WebCaller,
): Promise<void> {
  const send = (message: WebCallServerMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const webRtc = offersWebRtc ? voice.webRtc : null;
  send({
    type: 'ready',
    call_id: call.callId,
    ...(webRtc ? { ice_servers: webRtc.iceServers() } : {}),
  });
  const leg = createBrowserLeg(socket, {
    id: call.sipCallId,
    clock: voice.core.clock,
    log: voice.core.log,
    webRtc: webRtc?.factory,
  });
  await holdCall({ voice, call, fence, leg, onTurn: (turn) => send({ type: 'turn', ...turn }) });
}
