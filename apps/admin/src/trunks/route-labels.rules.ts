/** A route in sentences: "Monday to Friday, 9:00 AM–5:00 PM: Anna". */
import type { InboundAction, InboundRouteRecord } from '@parley/contracts';
import { dayChoices } from '../campaigns/campaign-draft.rules.ts';
import { formatTimeOfDay } from '../ui/format.rules.ts';
import { texts } from './texts.ts';

type Names = ReadonlyMap<number, string>;

/** One sentence for each rule, one for all other calls, and one for the queue. */
export function routeSentences({ rules, otherwise, queue }: InboundRouteRecord, names: Names): string[] {
  const sentences = rules.map((rule) =>
    texts.route.sentence(
      [daysLabel(rule.days), hoursLabel(rule), countriesLabel(rule.caller_countries)]
        .filter(Boolean)
        .join(', '),
      actionLabel(rule.action, names),
    ),
  );
  const rest = rules.length === 0 ? texts.route.always : texts.route.otherwise;
  return [
    ...sentences,
    texts.route.sentence(rest, actionLabel(otherwise, names)),
    ...(queue ? [texts.route.queue.label(queue.max_calls, queue.max_waiting)] : []),
  ];
}

/** What happens to the call. */
function actionLabel(action: InboundAction, names: Names): string {
  switch (action.type) {
    case 'assistant':
      return nameOf(action.assistant_id, names);
    case 'menu':
      return action.choices
        .map(({ key, assistant_id: id }) => texts.route.choice(key, nameOf(id, names)))
        .join(', ');
    case 'stream':
      return texts.route.streamed(URL.parse(action.url)?.host ?? action.url);
    case 'message':
    case 'voicemail':
    case 'reject':
      return texts.route.actions[action.type];
  }
}

function nameOf(id: number, names: Names): string {
  return names.get(id) ?? texts.route.deletedAssistant;
}

/** Days in a row as a range, others one by one. */
function daysLabel(days: InboundRouteRecord['rules'][number]['days']): string {
  if (days.length === dayChoices.length) return texts.route.everyDay;
  const places = days.map((day) => dayChoices.findIndex((choice) => choice.day === day));
  const [first = 0] = places;
  const last = places.at(-1) ?? first;
  const isRange = places.length > 2 && last - first === places.length - 1;
  const label = (place: number): string => texts.route.days[dayChoices[place]?.day ?? 'monday'];
  return isRange ? texts.route.range(label(first), label(last)) : places.map(label).join(', ');
}

function hoursLabel({ from, until }: { from: string; until: string }): string {
  return from === until ? '' : texts.route.hours(formatTimeOfDay(from), formatTimeOfDay(until));
}

function countriesLabel(countries: readonly string[]): string {
  return countries.length === 0 ? '' : texts.route.countries(countries.join(', '));
}
