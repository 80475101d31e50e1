/** Labels of deliveries. */
import { texts } from './texts.ts';

const EVENTS: Record<string, string> = texts.events;
const REASONS: Record<string, string> = texts.reasons;

/** An event without a label is shown as it is named. */
export function eventLabel(event: string): string {
  return EVENTS[event] ?? event;
}

/** Why a delivery ended without success and what to do about it; null without a reason. */
export function reasonText(reason: string | null): string | null {
  return reason === null ? null : (REASONS[reason] ?? reason);
}
