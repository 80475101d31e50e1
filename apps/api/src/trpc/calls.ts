/** Calls for the admin app: the list with its live rows, one call and its webhooks, placing, ending and supervising, browser calls. */
import {
  callDispositionBody,
  callsQuery,
  makeCallBody,
  paginate,
  startWebCallBody,
  TALK_PATH,
  whisperText,
  type CallSummary,
} from '@parley/contracts';
import {
  findCall,
  findSipCapture,
  findSipTrace,
  listCallSummaries,
  listLiveCalls,
  placeCall,
  placeDraftCall,
  placeWebCall,
  readLanes,
  requestHangUp,
  setDisposition,
} from '@parley/core';
import { z } from 'zod';
import { callFiltersFrom } from '../call-filters.ts';
import { liveProcedure, router, userProcedure } from './procedures.ts';

const one = z.object({ id: z.int() });
/** A page of the list has 25. */
const MOST_LANES = 100;

/** The maximum of calls in progress in one answer; the list of calls has them all. */
const MOST_LIVE = 100;

/** The list is sorted by duration and cost only where few calls match; `is_sorted` says so. */
const sortedCallsQuery = callsQuery.omit({ cursor: true }).extend({
  sort: z.enum(['started', 'duration', 'cost']).default('started'),
  is_ascending: z.boolean().default(false),
});

/** The admin app makes its own links; the envelope's lead to the public API's list. */
const LIST_PATH = '/api/user/calls';

/** `calls.*`: the user's own. */
export const calls = router({
  list: userProcedure.input(sortedCallsQuery).query(async ({ ctx, input }) => {
    const filters = callFiltersFrom(input);
    const order = { by: input.sort, isAscending: input.is_ascending };
    const { isSorted, ...found } = await listCallSummaries(ctx.core, ctx.session, filters, order);
    const url = new URL(LIST_PATH, ctx.core.publicUrl ?? undefined);
    return {
      ...paginate({ ...found, page: filters.page, perPage: filters.perPage, url }),
      is_sorted: isSorted,
    };
  }),

  /** The calls in progress, newest first. */
  live: userProcedure
    .input(z.object({ assistant_id: z.int().optional(), campaign_id: z.int().optional() }))
    .query(({ ctx, input: { assistant_id: assistantId, campaign_id: campaignId } }) =>
      listLiveCalls(ctx.core, ctx.session, { assistantId, campaignId, most: MOST_LIVE }),
    ),

  get: userProcedure.input(one).query(({ ctx, input }) => findCall(ctx.core, ctx.session, input.id)),

  lanes: userProcedure
    .input(z.object({ ids: z.array(z.int()).max(MOST_LANES) }))
    .query(({ ctx, input }) => readLanes(ctx.core, ctx.session, input.ids)),

  sipTrace: userProcedure.input(one).query(({ ctx, input }) => findSipTrace(ctx.core, ctx.session, input.id)),

  /** A capture file; the admin app has no token for the public API. */
  sipCapture: userProcedure.input(one).query(async ({ ctx, input }) => {
    const capture = await findSipCapture(ctx.core, ctx.session, input.id);
    return { base64: Buffer.from(capture).toString('base64') };
  }),

  hangUp: userProcedure.input(one).mutation(async ({ ctx, input }) => {
    const { callId, status } = await requestHangUp(ctx.core, ctx.session, input.id);
    return { call_id: callId, status };
  }),

  setDisposition: userProcedure
    .input(one.extend(callDispositionBody.shape))
    .mutation(({ ctx, input }) =>
      setDisposition(ctx.core, ctx.session, { callId: input.id, disposition: input.disposition }),
    ),

  /** The path leads to a WebSocket that carries the sound and the words of the call; it is valid for one use within a minute. */
  listen: userProcedure
    .input(one)
    .mutation(({ ctx, input }) =>
      ctx.superviseCall.join(ctx.core, ctx.session, { callId: input.id, mode: 'listen' }),
    ),

  /** The same, and the sound of the browser replaces the assistant until the WebSocket closes. */
  takeOver: userProcedure
    .input(one)
    .mutation(({ ctx, input }) =>
      ctx.superviseCall.join(ctx.core, ctx.session, { callId: input.id, mode: 'talk' }),
    ),

  whisper: userProcedure.input(one.extend({ text: whisperText })).mutation(async ({ ctx, input }) => {
    await ctx.superviseCall.whisper(ctx.core, ctx.session, { callId: input.id, text: input.text });
    return {};
  }),

  transfer: userProcedure
    .input(one.extend({ destination: z.string().min(1).max(200) }))
    .mutation(async ({ ctx, input }) => {
      const { id: callId, destination } = input;
      await ctx.superviseCall.transfer(ctx.core, ctx.session, { callId, destination });
      return {};
    }),

  place: userProcedure
    .meta({ isAudited: false })
    .input(makeCallBody)
    .mutation(async ({ ctx, input }) => {
      const { callId } = await placeCall(ctx.core, ctx.session, {
        phoneNumber: input.phone_number,
        assistantId: input.assistant_id,
        variables: input.variables,
      });
      return { call_id: callId };
    }),

  /** The path leads to a WebSocket that carries the sound; it is valid for one use within a minute. */
  startWebCall: userProcedure
    .meta({ isAudited: false })
    .input(startWebCallBody)
    .mutation(async ({ ctx, input }) => {
      const { assistant_id: assistantId, draft: changes, variables } = input;
      const call = { assistantId, variables };
      const { callId, ticket } = changes
        ? await placeDraftCall(ctx.core, ctx.session, { ...call, changes })
        : await placeWebCall(ctx.core, ctx.session, call);
      return { call_id: callId, path: `${TALK_PATH}?ticket=${encodeURIComponent(ticket)}` };
    }),

  /** Every call of the user's as it changes, from now on. */
  changes: liveProcedure.subscription(
    async ({ ctx, signal }): Promise<AsyncGenerator<CallSummary, void, undefined>> => {
      const { userId, timezone } = ctx.session;
      const scope = ctx.socket.subscribe(signal ?? new AbortController().signal);
      try {
        const reader = { userId, timezone, publicUrl: ctx.core.publicUrl };
        return ctx.socket.paced(await ctx.feed.open(reader, scope.ended));
      } catch (error) {
        scope.leave();
        throw error;
      }
    },
  ),
});
