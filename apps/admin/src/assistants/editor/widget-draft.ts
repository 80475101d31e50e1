/** The form of `widget_settings`, and its conversion. Empty fields are left out, so that the server's defaults apply. */
import { texts as widgetTexts } from '../../widget/texts.ts';

/** A text that the widget shows. */
export type WidgetText = keyof typeof widgetTexts;

/** In the order in which they are shown. */
export const widgetTextNames = Object.keys(widgetTexts) as WidgetText[];

/** Limits with the server's defaults. They are repeated here to keep the contract out of the bundle; a test compares them. */
export const WIDGET_LIMITS = {
  max_concurrent_calls: 5,
  max_calls_per_hour: 60,
  max_calls_per_visitor: 10,
  max_call_duration: 300,
} as const;

/** One of them. */
export type WidgetLimit = keyof typeof WIDGET_LIMITS;

/** In the order in which they are shown. */
export const widgetLimitNames = Object.keys(WIDGET_LIMITS) as WidgetLimit[];

/** What the widget has without a colour of its own. */
export const WIDGET_COLOR = '#1864ab';

/** Everything is text. */
export interface WidgetDraft extends Record<WidgetLimit, string> {
  /** One a line. */
  allowed_origins: string;
  theme: string;
  color: string;
  position: string;
  consent_text: string;
  texts: Record<WidgetText, string>;
}

const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** @param value - as stored; earlier versions accepted any object */
export function readWidget(value: unknown): WidgetDraft {
  const stored = asObject(value);
  const origins = stored['allowed_origins'];
  const texts = asObject(stored['texts']);
  const limits = widgetLimitNames.map((name) => [name, asText(stored[name])]);
  return {
    allowed_origins: Array.isArray(origins) ? origins.map(asText).join('\n') : '',
    theme: asText(stored['theme']) || 'auto',
    color: asText(stored['color']),
    position: sideOf(asText(stored['position'])),
    consent_text: asText(stored['consent_text']),
    texts: Object.fromEntries(
      widgetTextNames.map((name) => [name, asText(texts[name])]),
    ) as WidgetDraft['texts'],
    ...(Object.fromEntries(limits) as Record<WidgetLimit, string>),
  };
}

/** `left` and `right` are short forms. */
function sideOf(position: string): string {
  if (position === 'left' || position === 'right') return `bottom-${position}`;
  return position || 'bottom-right';
}

/** The value for the API, which validates it. */
export function writeWidget({ allowed_origins, theme, position, texts, ...rest }: WidgetDraft): unknown {
  const origins = allowed_origins
    .split('\n')
    .map((line) => line.trim().replace(/\/$/, ''))
    .filter((line) => line !== '');
  const shown = filled(texts);
  return {
    allowed_origins: origins,
    theme,
    position,
    ...filled(rest),
    ...(Object.keys(shown).length > 0 && { texts: shown }),
  };
}

function filled(values: Record<string, string>): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
