/** What a call used and cost, in words. Amounts are in whatever currency the operator means. */
import type { CallCost, CallDetail } from '@parley/contracts';

const STAGES: Record<CallCost['stage'], string> = {
  carrier: 'Line',
  provider: 'Minutes',
  transcription: 'Transcription',
  model: 'Model',
  voice: 'Voice',
  speech_to_speech: 'Speech to speech',
  evaluation: 'Evaluation',
};
const UNITS: Record<CallCost['unit'], string> = {
  second: 's',
  character: 'characters',
  input_token: 'tokens in',
  cached_input_token: 'cached tokens in',
  audio_input_token: 'sound tokens in',
  output_token: 'tokens out',
  audio_output_token: 'sound tokens out',
};
const WITHOUT_AMOUNT: Partial<Record<CallCost['basis'], string>> = {
  per_minute: 'in the minutes',
  built_in: 'built in',
  unknown: 'price not known',
};

/** One part: whose it is, how much was used, and its amount or why there is none. */
export interface CostRow {
  stage: string;
  name: string;
  quantity: string;
  amount: string;
}

/** A part of a call's costs as a row. */
export function costRow({ stage, name, quantity, unit, is_estimated, basis, amount }: CallCost): CostRow {
  const about = is_estimated ? 'about ' : '';
  return {
    stage: STAGES[stage],
    name,
    quantity: quantity === null ? 'not reported' : `${about}${quantity.toLocaleString('en')} ${UNITS[unit]}`,
    amount: WITHOUT_AMOUNT[basis] ?? formatAmount(amount ?? 0),
  };
}

/** The whole; a plus sign where it is known to be more. */
export function totalText({ total_cost, are_costs_complete }: CallDetail): string {
  return `${formatAmount(total_cost)}${are_costs_complete ? '' : ' + what is not known'}`;
}

/** Two decimals at least, six at most. */
function formatAmount(amount: number): string {
  return amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
}
