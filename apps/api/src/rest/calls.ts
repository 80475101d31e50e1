/** Calls over REST: place, list, read, follow, hang up. */
import { cursorAnswer, internal, paginate, type api } from '@parley/contracts';
import {
  exportCalls,
  findCall,
  findCallKey,
  findSipCapture,
  findSipTrace,
  listCalls,
  listCallsAfter,
  placeCall,
  removeCall,
  requestHangUp,
  storedStream,
  setDisposition,
} from '@parley/core';
import type { CallFeed } from '../call-feed.ts';
import { CALLS_FILE, callFiltersFrom } from '../call-filters.ts';
import { EventStream, lastEventIdOf } from '../http/event-stream.ts';
import { FileStream } from '../http/text-stream.ts';
import { OpenStreams } from '../http/open-streams.ts';
import type { VoiceAsker } from './ask-voice.ts';
import { callInputOf } from './call-input.ts';
import { MAX_STREAMS, streamCallEvents } from './call-events.ts';
import type { RestHandlers } from './handlers.ts';

/** Handlers of `contracts/calls.ts`. */
export function createCallHandlers(feed: CallFeed, voice: VoiceAsker): RestHandlers<typeof api.calls> {
  const sources = { feed, streams: new OpenStreams(MAX_STREAMS, 'event streams') };
  return {
    ...handlers,
    async events({ core, identity, request }, { params }) {
      const follower = { core, identity, callId: params.id, after: lastEventIdOf(request) ?? 0 };
      const body = new EventStream((gone) => streamCallEvents(sources, follower, gone));
      return { status: 200, body };
    },
    async evaluate(call, { params }) {
      voice.requireAllowance(call.identity);
      await findCallKey(call.core, call.identity, params.id);
      const data = await voice.ask(call, {
        route: internal.evaluateAgain,
        body: { user_id: call.identity.userId, call_id: params.id },
        tooSlow: 'The call was not evaluated within 30 seconds.',
      });
      return { status: 200, body: { message: 'Call evaluated successfully', data } };
    },
  };
}

const PCAP_TYPE = 'application/vnd.tcpdump.pcap';

async function* pieceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const handlers: Omit<RestHandlers<typeof api.calls>, 'events' | 'evaluate'> = {
  async make({ core, identity }, { body }) {
    const { callId } = await placeCall(core, identity, callInputOf(body));
    const placed = { call_id: callId, status: 'initiated' } as const;
    return { status: 200, body: { message: 'Call initiated successfully', data: placed, ...placed } };
  },

  async makeStream({ core, identity }, { body }) {
    const { callId } = await placeCall(core, identity, {
      phoneNumber: body.phone_number,
      assistantId: body.assistant_id,
      variables: body.variables,
      stream: storedStream(body),
    });
    const placed = { call_id: callId, status: 'initiated' } as const;
    return { status: 200, body: { message: 'Call initiated successfully', data: placed, ...placed } };
  },

  async list({ core, identity, url }, { query }) {
    const filters = callFiltersFrom(query);
    if (query.cursor) {
      const { perPage } = filters;
      const found = await listCallsAfter(core, identity, filters, { ...query.cursor, perPage });
      return { status: 200, body: cursorAnswer(found, perPage) };
    }
    const found = await listCalls(core, identity, filters);
    return { status: 200, body: paginate({ ...found, page: filters.page, perPage: filters.perPage, url }) };
  },

  async get({ core, identity }, { params }) {
    return { status: 200, body: await findCall(core, identity, params.id) };
  },

  async file({ core, identity }, { query }) {
    const filters = callFiltersFrom({ ...query, page: 1, per_page: 1 });
    return { status: 200, body: new FileStream(exportCalls(core, identity, filters), CALLS_FILE) };
  },

  async setDisposition({ core, identity }, { params, body }) {
    const { callId, disposition, source } = await setDisposition(core, identity, {
      callId: params.id,
      disposition: body.disposition,
    });
    const data = { call_id: callId, disposition, disposition_source: source };
    return { status: 200, body: { message: 'Disposition updated successfully', data } };
  },

  async sipTrace({ core, identity }, { params }) {
    return { status: 200, body: await findSipTrace(core, identity, params.id) };
  },

  async sipCapture({ core, identity }, { params }) {
    const capture = await findSipCapture(core, identity, params.id);
    const file = { type: PCAP_TYPE, fileName: `call-${params.id}.pcap` };
    return { status: 200, body: new FileStream(pieceOf(capture), file) };
  },

  async remove({ core, identity }, { params }) {
    await removeCall(core, identity, params.id);
    return { status: 200, body: { message: 'Call deleted successfully' } };
  },

  async hangUp({ core, identity }, { params }) {
    const { callId, status } = await requestHangUp(core, identity, params.id);
    return { status: 200, body: { message: 'The call is being ended', data: { call_id: callId, status } } };
  },
};
