/**
 * The settings of an assistant's widget (docs/widget.md): what may be written, and what is in force. Each key that may be
 * written acts; others are refused. Settings that an earlier version has stored are read without what it did not check.
 */
import { z } from 'zod';
import { wording } from './field-wording.ts';
import { choice, integer, list, nullable, requiredText } from './fields.ts';
import { isPlainObject } from './coercion.ts';

/** `auto`: the preference of the visitor's system. */
export const widgetThemes = ['auto', 'light', 'dark'] as const;
/** `left` and `right` are the lower corners; `inline`: where the element is in the page. */
export const widgetPositions = ['bottom-right', 'bottom-left', 'right', 'left', 'inline'] as const;

/** The texts that a widget can show. */
export const widgetTextNames = [
  'open',
  'close',
  'title',
  'intro',
  'start',
  'hang_up',
  'mute',
  'unmute',
  'microphone',
  'connecting',
  'listening',
  'speaking',
  'ended',
  'denied',
  'no_microphone',
  'in_use',
  'insecure',
  'busy',
  'unavailable',
  'lost',
] as const;
/** One of them. */
export type WidgetTextName = (typeof widgetTextNames)[number];

const MAX_ORIGINS = 20;
const MAX_ORIGIN = 300;
const MAX_TEXT = 300;
const MAX_CONSENT = 1000;

/** `https://example.com` or `http://localhost:8080`, as browsers send it in the header Origin (RFC 6454, section 6.2). */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** A key without a meaning is refused: zod's own strict objects name it in no path. */
const unknownKey = z.custom(() => false, { error: wording.prohibited, abort: false });

/** @param id - of the component in the API document */
function strictShape<Shape extends z.ZodRawShape>(
  id: string,
  fields: Shape,
): z.ZodType<z.output<z.ZodObject<Shape>>> {
  const schema = z
    .object(fields, { error: wording.array })
    .catchall(unknownKey)
    .meta({ id, additionalProperties: false });
  // A catch-all of refused keys adds nothing to the type.
  return schema;
}

const fields = {
  allowed_origins: list(requiredText({ maximum: MAX_ORIGIN }).refine(isOrigin, { error: wording.url }), {
    maximum: MAX_ORIGINS,
  }).optional(),
  theme: choice(widgetThemes).optional(),
  color: requiredText()
    .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, { error: wording.format })
    .optional(),
  position: choice(widgetPositions).optional(),
  consent_text: nullable(requiredText({ maximum: MAX_CONSENT })).optional(),
  texts: strictShape(
    'WidgetTexts',
    Object.fromEntries(
      widgetTextNames.map((name) => [name, requiredText({ maximum: MAX_TEXT }).optional()]),
    ) as { [Name in WidgetTextName]: z.ZodOptional<ReturnType<typeof requiredText>> },
  ).optional(),
  max_concurrent_calls: integer({ minimum: 1, maximum: 100 }).optional(),
  max_calls_per_hour: integer({ minimum: 1, maximum: 10_000 }).optional(),
  max_calls_per_visitor: integer({ minimum: 1, maximum: 1000 }).optional(),
  max_call_duration: integer({ minimum: 20, maximum: 1200 }).optional(),
};

/** What may be written. */
export const writtenWidgetSettings = strictShape('WidgetSettings', fields);
/** The parsed settings of a request. */
export type WrittenWidgetSettings = z.output<typeof writtenWidgetSettings>;

/** What is in force. The calls per hour, and per visitor, are those of the last hour. */
export interface WidgetSettings {
  /** None: the widget is off. */
  allowedOrigins: readonly string[];
  theme: (typeof widgetThemes)[number];
  color: string;
  position: (typeof widgetPositions)[number];
  consentText: string | null;
  /** Texts that replace those of the widget. */
  texts: Partial<Record<WidgetTextName, string>>;
  maxConcurrentCalls: number;
  maxCallsPerHour: number;
  maxCallsPerVisitor: number;
  maxCallSeconds: number;
}

/** The settings of a widget of which only the allowed origins were written. */
export const widgetDefaults = {
  theme: 'auto',
  color: '#1864ab',
  position: 'bottom-right',
  max_concurrent_calls: 5,
  max_calls_per_hour: 60,
  max_calls_per_visitor: 10,
  max_call_duration: 300,
} as const;

/** @param stored - as written, or by an earlier version that accepted any object: then the valid keys */
export function readWidgetSettings(stored: unknown): WidgetSettings {
  const kept = validPart(stored);
  const given = { ...widgetDefaults, ...kept };
  return {
    allowedOrigins: kept.allowed_origins ?? [],
    theme: given.theme,
    color: given.color,
    position: given.position,
    consentText: kept.consent_text ?? null,
    // JSON has no undefined values.
    texts: (kept.texts ?? {}) as WidgetSettings['texts'],
    maxConcurrentCalls: given.max_concurrent_calls,
    maxCallsPerHour: given.max_calls_per_hour,
    maxCallsPerVisitor: given.max_calls_per_visitor,
    maxCallSeconds: given.max_call_duration,
  };
}

/** The written settings, without those that are absent. */
type Present = { [Name in keyof WrittenWidgetSettings]?: NonNullable<WrittenWidgetSettings[Name]> };

function validPart(stored: unknown): Present {
  if (!isPlainObject(stored)) return {};
  const entries = Object.entries(fields).flatMap(([name, schema]) => {
    const { data } = (schema as z.ZodType).safeParse(stored[name]);
    return data === undefined || data === null ? [] : [[name, data] as const];
  });
  return Object.fromEntries(entries) as Present;
}

/** The answer of `GET /widget/assistants/{uuid}`: what the widget shows. */
export interface WidgetAppearance {
  theme: WidgetSettings['theme'];
  color: string;
  position: WidgetSettings['position'];
  consent_text: string | null;
  texts: WidgetSettings['texts'];
}

/** The answer of `POST /widget/assistants/{uuid}/calls`. */
export interface WidgetCall {
  /** Path and query of the WebSocket: valid once and for a minute. */
  path: string;
}

/** The WebSocket of widgets at the api, which pages of other origins may open: `?ticket=...`. */
export const WIDGET_TALK_PATH = '/widget/talk';
