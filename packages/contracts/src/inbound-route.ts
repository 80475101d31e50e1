/**
 * What happens to the calls of one phone number, by day, time and country of the caller. Without a route, the assistant of
 * the number answers. See docs/api.md, "Phone numbers".
 */
import { z } from 'zod';
import { allowedDays, timeOfDay } from './campaign-input.ts';
import { weekdays } from './campaign-record.ts';
import { isPlainObject } from './coercion.ts';
import { wording } from './field-wording.ts';
import { choice, integer, list, nullable, requiredText, shape, text, timeZone } from './fields.ts';
import { MAX_PARAMETERS, readStream, writtenStream } from './stream-target.ts';
import { menuKeys, queueLimits } from './form-choices.ts';

/** Rules of a route, of which the first that applies decides. */
export const MAX_ROUTE_RULES = 20;
const MAX_COUNTRIES = 20;
/** The maximum length of a text that is said before the call ends, a message is taken, or a key is awaited. */
const MAX_SAID = 1000;
const MIN_MESSAGE_SECONDS = 10;
const MAX_MESSAGE_SECONDS = 300;
const DEFAULT_MESSAGE_SECONDS = 120;

const said = () => requiredText({ maximum: MAX_SAID });

const menuChoices = list(shape({ key: choice(menuKeys), assistant_id: integer() }), {
  minimum: 1,
  maximum: menuKeys.length,
}).refine((choices) => new Set(choices.map(({ key }) => key)).size === choices.length, {
  error: wording.selected,
});

const messageAction = shape({ type: z.literal('message'), assistant_id: integer(), text: said() });
const voicemailAction = shape({
  type: z.literal('voicemail'),
  assistant_id: integer(),
  text: said(),
  /** The longest message, seconds. */
  max_seconds: integer({ minimum: MIN_MESSAGE_SECONDS, maximum: MAX_MESSAGE_SECONDS }).default(
    DEFAULT_MESSAGE_SECONDS,
  ),
});
const rejectAction = shape({ type: z.literal('reject') });

/** What a rule does. `assistant_id` of the others: whose voice speaks the text. */
const actions = [
  shape({ type: z.literal('assistant'), assistant_id: integer() }),
  messageAction,
  voicemailAction,
  shape({ type: z.literal('menu'), assistant_id: integer(), text: said(), choices: menuChoices }),
  /** An agent of the user talks; `assistant_id`: whose settings apply to the call, and which continues it on a failure. */
  shape({ type: z.literal('stream'), assistant_id: integer(), ...writtenStream }),
  rejectAction,
] as const;

const actionOfType = z
  .discriminatedUnion('type', actions, {
    error: ({ input }) => (input === undefined || input === null ? wording.required : wording.selected),
  })
  .meta({ id: 'InboundRouteActionInput' });

const MOST_ITEMS = { choices: menuKeys.length, parameters: MAX_PARAMETERS };

/** The lengths of the lists are checked before anything else, so that a huge list costs no validation in any type. */
const writtenAction = z.preprocess<unknown, typeof actionOfType, z.input<typeof actionOfType>>(
  (value, context) => {
    const given: unknown = value;
    for (const [name, maximum] of Object.entries(MOST_ITEMS)) {
      const items = isPlainObject(given) ? given[name] : undefined;
      if (!Array.isArray(items) || items.length <= maximum) continue;
      context.addIssue({ code: 'custom', message: wording.atMostItems(maximum), path: [name] });
      return z.NEVER;
    }
    return value;
  },
  actionOfType,
);

const country = text().refine((value) => /^[A-Z]{2}$/.test(value), { error: wording.format });

const writtenRule = shape({
  /** Empty: every day. */
  days: allowedDays().default([...weekdays]),
  /** An end before the start crosses midnight; equal times mean the whole day. */
  from: timeOfDay().default('00:00:00'),
  until: timeOfDay().default('00:00:00'),
  /** Only callers with a number of these countries; empty: all callers. */
  caller_countries: list(country, { maximum: MAX_COUNTRIES }).default([]),
  action: writtenAction,
}).meta({ id: 'InboundRuleInput' });

/** What happens to callers whom a full queue cannot take, or who have waited too long. */
const overflowAction = z
  .discriminatedUnion('type', [messageAction, voicemailAction, rejectAction], {
    error: ({ input }) => (input === undefined || input === null ? wording.required : wording.selected),
  })
  .meta({ id: 'InboundOverflowInput' });

const DEFAULT_WAITING = 10;
const DEFAULT_WAIT_SECONDS = 300;
const DEFAULT_ANNOUNCE_SECONDS = 45;

/** Callers who wait, while as many as `max_calls` talk or the voice process is full. */
const writtenQueue = shape({
  max_calls: integer(queueLimits.max_calls),
  max_waiting: integer(queueLimits.max_waiting).default(DEFAULT_WAITING),
  max_wait_seconds: integer(queueLimits.max_wait_seconds).default(DEFAULT_WAIT_SECONDS),
  /** Spoken at the begin and again later; `{{queue_position}}` is the position. */
  text: said(),
  announce_every_seconds: integer(queueLimits.announce_every_seconds).default(DEFAULT_ANNOUNCE_SECONDS),
  overflow: overflowAction,
}).meta({ id: 'InboundQueueInput' });

/** Body of PUT /api/user/phone-numbers/:id/inbound-route. */
export const inboundRouteBody = shape({
  timezone: timeZone(),
  /** In their order; the first that applies decides. */
  rules: list(writtenRule, { maximum: MAX_ROUTE_RULES }).default([]),
  /** For calls to which no rule applies. */
  otherwise: writtenAction,
  /** For calls that an assistant or a choice by key answers; null: they do not wait. */
  queue: nullable(writtenQueue).default(null),
}).meta({ id: 'InboundRouteInput' });

const readMessage = z.strictObject({ type: z.literal('message'), assistant_id: z.int(), text: z.string() });
const readVoicemail = z.strictObject({
  type: z.literal('voicemail'),
  assistant_id: z.int(),
  text: z.string(),
  max_seconds: z.int(),
});
const readReject = z.strictObject({ type: z.literal('reject') });

const readAction = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('assistant'), assistant_id: z.int() }),
    readMessage,
    readVoicemail,
    z.strictObject({
      type: z.literal('menu'),
      assistant_id: z.int(),
      text: z.string(),
      choices: z.array(z.strictObject({ key: z.enum(menuKeys), assistant_id: z.int() })),
    }),
    z.strictObject({ type: z.literal('stream'), assistant_id: z.int(), ...readStream }),
    readReject,
  ])
  .meta({ id: 'InboundRouteAction' });

const readRule = z
  .strictObject({
    days: z.array(z.enum(weekdays)),
    from: z.string(),
    until: z.string(),
    caller_countries: z.array(z.string()),
    action: readAction,
  })
  .meta({ id: 'InboundRule' });

const readQueue = z
  .strictObject({
    max_calls: z.int(),
    max_waiting: z.int(),
    max_wait_seconds: z.int(),
    text: z.string(),
    announce_every_seconds: z.int(),
    overflow: z
      .discriminatedUnion('type', [readMessage, readVoicemail, readReject])
      .meta({ id: 'InboundOverflow' }),
  })
  .meta({ id: 'InboundQueue' });

/** A route as it is read. */
export const inboundRouteRecord = z
  .strictObject({
    timezone: z.string(),
    rules: z.array(readRule),
    otherwise: readAction,
    queue: readQueue.nullable(),
  })
  .meta({ id: 'InboundRoute' });

/** A route as it is read. */
export type InboundRouteRecord = z.output<typeof inboundRouteRecord>;
/** One rule of it. */
export type InboundRule = InboundRouteRecord['rules'][number];
/** What a rule does. */
export type InboundAction = InboundRouteRecord['otherwise'];
/** The queue of a route. */
export type InboundQueue = NonNullable<InboundRouteRecord['queue']>;
/** The body that sets a route. */
export type NewInboundRoute = z.output<typeof inboundRouteBody>;
