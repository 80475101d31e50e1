/**
 * An agent for media streams: it repeats what the caller says, and hangs up when the caller presses #. It works behind Parley
 * and behind Twilio's <Connect><Stream>.
 *
 *   npm install ws
 *   STREAM_URL=ws://127.0.0.1:8090/media STREAM_SECRET=whsec_... node media-stream-agent.mjs
 *
 * STREAM_URL is the address exactly as it is written in the route or the request. STREAM_SECRET is the webhook secret of the
 * account in Parley (or the auth token at Twilio).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebSocketServer } from 'ws';

const { STREAM_URL = 'ws://127.0.0.1:8090/media', STREAM_SECRET = '', PORT = '8090' } = process.env;

/** True if the request comes from a side that has the secret. */
function isSigned(request) {
  const expected = createHmac('sha1', STREAM_SECRET).update(STREAM_URL).digest('base64');
  const given = String(request.headers['x-twilio-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(PORT),
  verifyClient: ({ req }, done) => done(isSigned(req), 403),
});

server.on('connection', (socket) => {
  let streamSid = '';
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    switch (message.event) {
      case 'start':
        streamSid = message.streamSid;
        console.log('call', message.start.callSid, message.start.customParameters);
        break;
      case 'media':
        // 20 ms of mu-law in base64; it goes back as it came.
        socket.send(JSON.stringify({ event: 'media', streamSid, media: { payload: message.media.payload } }));
        break;
      case 'dtmf':
        console.log('key', message.dtmf.digit);
        if (message.dtmf.digit === '#') socket.close(1000);
        break;
      case 'stop':
        console.log('the call has ended');
        break;
    }
  });
});

server.on('listening', () => console.log('The agent listens on port', PORT));
