/**
 * Endpoints of calls: place, list, read, follow, delete and end. Records are in call-record.ts.
 * See docs/api.md, "Calls".
 */
import { z } from 'zod';
import { messageAnswer, written } from './answers.ts';
import { writtenPostCallSchema } from './assistant-fields.ts';
import { updateAssistantBody } from './assistant-input.ts';
import { callEvaluation } from './call-evaluation.ts';
import { callDetail, callRecord, dispositionSources } from './call-record.ts';
import { callTypes } from './call-states.ts';
import { callOutcomes, callStatuses } from './call-states.ts';
import { c, metadata } from './contract.ts';
import { sipTraceRecord } from './sip-trace.ts';
import { writtenStream } from './stream-target.ts';
import { cursorPage, cursorQuery } from './cursor.ts';
import { envelope, pageQuery } from './envelope.ts';
import { bodyErrors, errorBody, queryErrors, singleErrors } from './errors.ts';
import {
  calendarDate,
  choice,
  idParameter,
  integer,
  nullable,
  optionalQuery,
  requiredText,
  shape,
  text,
  variables,
} from './fields.ts';

/** Default page size of the calls list. */
const DEFAULT_PER_PAGE = 15;
const MAX_FILTER_TEXT = 255;
const MAX_INSTRUCTIONS = 20_000;

/** Body of POST /api/user/make_call. The use case validates the number, because that requires the user's country. */
export const makeCallBody = shape({
  phone_number: requiredText(),
  assistant_id: integer(),
  variables: variables().optional(),
  /** The same as `variables`, which wins if both are sent: existing clients use either name. */
  variable: variables().optional(),
  /** Added to the prompt of the assistant for this call. */
  instructions: requiredText({ maximum: MAX_INSTRUCTIONS }).optional(),
  /** What the evaluation of this call answers, in place of the questions of the assistant. */
  post_call_schema: writtenPostCallSchema().optional(),
})
  .transform(({ variable, ...body }) => ({ ...body, variables: body.variables ?? variable }))
  .meta({ id: 'MakeCall' });

/** Body of POST /api/user/make_stream_call. */
const makeStreamCallBody = shape({
  phone_number: requiredText(),
  /** The assistant whose settings apply to the call, and which continues it if the agent fails. */
  assistant_id: integer(),
  variables: variables().optional(),
  ...writtenStream,
}).meta({ id: 'MakeStreamCall' });

/** Input of the admin app for a call in the browser. `draft` holds changes of the assistant that apply to this call only. */
export const startWebCallBody = z.object({
  assistant_id: z.int(),
  draft: updateAssistantBody.optional(),
  variables: variables().optional(),
});

/** `+` in a query string decodes to a space; a number that begins with a space was meant to begin with `+`. */
const phoneFilter = text().transform((value) => value.replace(/^ (?=\d)/, '+').trim());

/** Filters of the calls list; days are inclusive, in the user's time zone. */
export const callFilters = {
  status: optionalQuery(choice(callStatuses)),
  type: optionalQuery(choice(callTypes)),
  /** Only calls that have ended have one. */
  outcome: optionalQuery(choice(callOutcomes)),
  /** As the list of the campaign names it. */
  disposition: optionalQuery(text({ maximum: MAX_FILTER_TEXT })),
  phone_number: optionalQuery(phoneFilter),
  assistant_id: optionalQuery(integer()),
  campaign_id: optionalQuery(integer()),
  date_from: optionalQuery(calendarDate()),
  date_to: optionalQuery(calendarDate()),
};

/** Query of GET /api/user/calls.csv: the filters of the list. */
export const callsFileQuery = z.object(callFilters);

/** Body of PUT /api/user/calls/{id}/disposition. */
export const callDispositionBody = shape({
  /** One of the list of the campaign; null removes the disposition. */
  disposition: nullable(requiredText({ maximum: MAX_FILTER_TEXT })),
});

/** Query of GET /api/user/calls. */
export const callsQuery = z.object({
  ...callFilters,
  ...pageQuery(DEFAULT_PER_PAGE),
  /** Microseconds since 1970 and id of a call; with it, `page` is ignored. */
  cursor: cursorQuery(z.tuple([z.int().nonnegative(), z.int().nonnegative()]).readonly()),
});

/** The query of the calls list, with page and page size filled in, and the cursor parsed. */
export type CallsQuery = z.output<typeof callsQuery>;

/** Dialing begins after the answer, so that no other state can occur. */
const placedStatus = z.enum(['initiated']);

/** The call and its status are at the top level too, because existing clients read them there. */
const callPlaced = z
  .strictObject({
    message: z.string(),
    data: z.strictObject({ call_id: z.int(), status: placedStatus }),
    call_id: z.int(),
    status: placedStatus,
  })
  .meta({ id: 'CallPlaced' });

const hangUpAnswer = z
  .strictObject({
    message: z.string(),
    data: z.strictObject({ call_id: z.int(), status: z.enum(callStatuses) }),
  })
  .meta({ id: 'HangUpRequested' });

const dispositionAnswer = written(
  z
    .strictObject({
      call_id: z.int(),
      disposition: z.string().nullable(),
      disposition_source: z.enum(dispositionSources).nullable(),
    })
    .meta({ id: 'CallDisposition' }),
).meta({ id: 'CallDispositionWritten' });

const read = metadata({ scope: 'read' });
const CALL_NOT_FOUND = 'Call not found';

/** The endpoints of calls. */
export const calls = c.router({
  make: {
    method: 'POST',
    path: '/api/user/make_call',
    summary: 'Place a call',
    body: makeCallBody,
    responses: { 200: callPlaced, ...bodyErrors, 404: errorBody },
    metadata: metadata({ scope: 'call', isAudited: false }),
  },
  /** The same checks and limits as `make`; after the answer, the agent talks. */
  makeStream: {
    method: 'POST',
    path: '/api/user/make_stream_call',
    summary: 'Place a call whose sound is streamed to an agent',
    body: makeStreamCallBody,
    responses: { 200: callPlaced, ...bodyErrors, 404: errorBody },
    metadata: metadata({ scope: 'call', isAudited: false }),
  },
  list: {
    method: 'GET',
    path: '/api/user/calls',
    summary: 'List calls, newest first',
    query: callsQuery,
    responses: {
      200: z.union([
        envelope(callRecord).meta({ id: 'CallPage' }),
        cursorPage(callRecord).meta({ id: 'CallCursorPage' }),
      ]),
      ...queryErrors,
    },
    metadata: read,
  },
  /** Streamed, however many calls there are. */
  file: {
    method: 'GET',
    path: '/api/user/calls.csv',
    summary: 'Download the calls of a filter as CSV, newest first',
    query: callsFileQuery,
    responses: {
      200: c.otherResponse({ contentType: 'text/csv; charset=utf-8', body: z.string() }),
      ...queryErrors,
    },
    metadata: read,
  },
  get: {
    method: 'GET',
    path: '/api/user/calls/:id',
    pathParams: idParameter,
    summary: 'Get one call with its timeline, turns and webhook deliveries',
    responses: { 200: callDetail, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: CALL_NOT_FOUND }),
  },
  /**
   * Server-sent events: each event of the timeline under its type, `turn` and `tool_call` before the event of the hang-up, and
   * `end` at last. `id` is the number of an event of the timeline; `Last-Event-ID` continues after it.
   */
  events: {
    method: 'GET',
    path: '/api/user/calls/:id/events',
    pathParams: idParameter,
    summary: 'Follow one call by server-sent events',
    responses: {
      200: c.otherResponse({ contentType: 'text/event-stream; charset=utf-8', body: z.string() }),
      ...queryErrors,
      ...singleErrors,
    },
    metadata: metadata({ scope: 'read', notFoundMessage: CALL_NOT_FOUND, isEventStream: true }),
  },
  sipTrace: {
    method: 'GET',
    path: '/api/user/calls/:id/sip-trace',
    pathParams: idParameter,
    summary: 'Get the SIP messages and RTP statistics of one call',
    responses: { 200: sipTraceRecord, ...singleErrors },
    metadata: metadata({ scope: 'read', notFoundMessage: CALL_NOT_FOUND }),
  },
  /** The same messages as a capture file for Wireshark. */
  sipCapture: {
    method: 'GET',
    path: '/api/user/calls/:id/sip-trace.pcap',
    pathParams: idParameter,
    summary: 'Download the SIP messages of one call as a capture file',
    responses: {
      200: c.otherResponse({ contentType: 'application/vnd.tcpdump.pcap', body: z.string() }),
      ...singleErrors,
    },
    metadata: metadata({ scope: 'read', notFoundMessage: CALL_NOT_FOUND }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/calls/:id',
    pathParams: idParameter,
    summary: 'Remove the record of a finished call, with its recording',
    responses: { 200: messageAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage: CALL_NOT_FOUND }),
  },
  evaluate: {
    method: 'POST',
    path: '/api/user/calls/:id/evaluate',
    pathParams: idParameter,
    summary: 'Evaluate a finished call again with the present settings of its assistant',
    body: z.object({}),
    responses: {
      200: written(callEvaluation).meta({ id: 'CallEvaluationAnswer' }),
      ...bodyErrors,
      ...singleErrors,
      503: errorBody,
    },
    // Tokens with limits have no scope `write`; the cost of an evaluation is not part of their limits.
    metadata: metadata({
      scope: 'write',
      notFoundMessage: CALL_NOT_FOUND,
      isRepeatable: true,
      isAudited: false,
    }),
  },
  setDisposition: {
    method: 'PUT',
    path: '/api/user/calls/:id/disposition',
    pathParams: idParameter,
    summary: 'Set or remove the disposition of a call',
    body: callDispositionBody,
    responses: { 200: dispositionAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'write', notFoundMessage: CALL_NOT_FOUND }),
  },
  hangUp: {
    method: 'POST',
    path: '/api/user/calls/:id/hang-up',
    pathParams: idParameter,
    summary: 'End a live call',
    body: z.object({}),
    responses: { 200: hangUpAnswer, ...bodyErrors, ...singleErrors },
    metadata: metadata({ scope: 'call', notFoundMessage: CALL_NOT_FOUND }),
  },
});
