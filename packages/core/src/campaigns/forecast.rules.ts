/**
 * A campaign flown on paper: the rule for dials and the rule for what a call means for its lead, asked about groups of
 * equal leads instead of single ones, on a clock that jumps. Deterministic; its cost depends on the number of groups and
 * on the length of the steps, not on the number of leads.
 *
 * Calls begin at the rate that keeps all slots in use: slots ÷ mean length of a call. A share of them is answered, and
 * their leads are done; the others come back as the rules say.
 */
import { commonWindowAt } from '../dialing/common-window.rules.ts';
import {
  decideDial,
  type DialCampaign,
  type DialNumber,
  type DialQuestion,
} from '../dialing/dial-rule.rules.ts';
import { ForecastQueue, type LeadGroup } from './forecast-queue.rules.ts';
import { decideLeadOutcome, type OutcomeSettings } from '../dialing/lead-outcome.rules.ts';

/** What is flown. */
export interface FlightPlan {
  /** Taken for running. */
  campaign: DialCampaign & OutcomeSettings;
  groups: readonly LeadGroup[];
  callsAtOnce: number;
  /** Null: no limit. */
  callsPerSecond: number | null;
  /** 0 to 1. */
  answerRate: number;
  durationSeconds: number;
  ringSeconds: number;
  startAt: Date;
}

/** What came of it. */
export interface Flight {
  /** Null: not within a year, or there was no call. */
  finishAt: Date | null;
  calls: number;
  reached: number;
  reachedMaxRetries: number;
  /** Leads by the reason for which they were never called again. */
  never: Map<string, number>;
  bucketSeconds: number;
  /** Keyed by the start of the bucket, milliseconds since 1970. */
  buckets: Map<number, { calls: number; answered: number }>;
}

/** The maximum number of steps, which take a second at most; a longer run has longer steps. */
const STEPS_OF_A_RUN = 4_000;
/** Should the estimate of the run's length be wrong. */
const MOST_STEPS = 40_000;
const HORIZON_MS = 366 * 86_400_000;
const SMALLEST_BUCKET_SECONDS = 60;
const MOST_BUCKETS = 500;

/**
 * How many calls a second begin while all slots are in use.
 *
 * @param callSeconds - mean length of a call from dial to hang-up
 */
export function callsPerSecondOf(
  { callsAtOnce, callsPerSecond }: Pick<FlightPlan, 'callsAtOnce' | 'callsPerSecond'>,
  callSeconds: number,
): number {
  return Math.min(callsAtOnce / callSeconds, callsPerSecond ?? Infinity);
}

/** Flies a plan. */
export function flyCampaign(plan: FlightPlan): Flight {
  const flight = new Flying(plan);
  flight.run();
  return flight.result();
}

/** The state of one run; lives as long as {@link flyCampaign}. */
class Flying {
  readonly #plan: FlightPlan;
  readonly #queue: ForecastQueue;
  readonly #stepMs: number;
  /** Calls that a millisecond begins. */
  readonly #rate: number;
  readonly #starts = new Map<number, { calls: number; answered: number }>();
  readonly #never = new Map<string, number>();
  #nowMs: number;
  /** Parts of calls and of answers that did not make a whole one yet. */
  #budget = 0;
  #answers = 0;
  #calls = 0;
  #reached = 0;
  #gaveUp = 0;
  #lastEndMs: number | null = null;
  #isOver = false;

  constructor(plan: FlightPlan) {
    const { answerRate, durationSeconds, ringSeconds, callsAtOnce, callsPerSecond, campaign } = plan;
    this.#plan = plan;
    this.#nowMs = plan.startAt.getTime();
    this.#queue = new ForecastQueue(plan.groups, this.#nowMs);
    const callSeconds = answerRate * durationSeconds + (1 - answerRate) * ringSeconds;
    const perSecond = callsPerSecondOf({ callsAtOnce, callsPerSecond }, callSeconds);
    this.#rate = perSecond / 1000;
    const most = plan.groups.reduce((sum, group) => sum + group.leads * group.numbers.length, 0);
    const runSeconds = (most * (1 + campaign.maxRetries * (1 - answerRate))) / perSecond;
    this.#stepMs = 1000 * Math.max(1, Math.ceil(runSeconds / STEPS_OF_A_RUN));
  }

  run(): void {
    if (this.#rate <= 0) return;
    const endMs = this.#plan.startAt.getTime() + HORIZON_MS;
    for (let steps = 0; steps < MOST_STEPS && this.#nowMs < endMs; steps++) {
      if (!this.#queue.moveTo(this.#nowMs)) {
        const next = this.#queue.nextMs();
        if (next === null) {
          this.#isOver = true;
          return;
        }
        this.#nowMs = next;
      } else this.#step();
    }
  }

  /** Dials from the front of the queue for as long as a step is, or the hours last. */
  #step(): void {
    const lengthMs = this.#lengthOfStep();
    this.#budget += this.#rate * lengthMs;
    let hasDialed = false;
    for (let group = this.#queue.first(); group && this.#budget >= 1; group = this.#queue.first()) {
      hasDialed = this.#ask(group) || hasDialed;
    }
    // Unused slots do not accumulate.
    this.#budget = Math.min(this.#budget, 1);
    if (hasDialed || this.#queue.first()) this.#nowMs += lengthMs;
  }

  #lengthOfStep(): number {
    const window = commonWindowAt(this.#plan.campaign, [], new Date(this.#nowMs));
    return window.isOpen ? Math.min(this.#stepMs, window.closesAt.getTime() - this.#nowMs) : this.#stepMs;
  }

  /** @returns true where calls began */
  #ask(group: LeadGroup): boolean {
    const verdict = decideDial(this.#questionOf(group));
    if (verdict.do === 'dial') {
      this.#dial(group, verdict.number);
      return true;
    }
    const taken = this.#queue.take(group, group.leads);
    if (verdict.do === 'wait' && verdict.until !== null) {
      const { round, turnLeadId, until } = verdict;
      // Never now: the same question would be asked for ever.
      const readyAtMs = Math.max(until.getTime(), this.#nowMs + 1);
      this.#queue.add({ ...taken, round, turn: turnLeadId, readyAtMs });
    } else this.#giveUp(verdict.reason, taken.leads);
    return false;
  }

  #questionOf(group: LeadGroup): DialQuestion {
    const now = new Date(this.#nowMs);
    return {
      campaign: this.#plan.campaign,
      isAssistantReady: true,
      numbers: group.numbers,
      turnLeadId: group.turn,
      round: group.round,
      readyAt: now,
      freeSlots: { campaign: 1, account: 1, fleet: 1 },
      now,
      databaseNow: now,
    };
  }

  #dial(group: LeadGroup, number: DialNumber): void {
    const taken = this.#queue.take(group, Math.min(group.leads, Math.floor(this.#budget)));
    const { leads } = taken;
    this.#budget -= leads;
    this.#calls += leads;
    this.#answers += leads * this.#plan.answerRate;
    const answered = Math.min(leads, Math.floor(this.#answers + 1e-9));
    this.#answers -= answered;
    this.#reached += answered;
    this.#note(leads, answered);
    if (leads > answered) this.#miss({ ...taken, leads: leads - answered }, number);
  }

  #note(calls: number, answered: number): void {
    const { durationSeconds, ringSeconds } = this.#plan;
    const longest = Math.max(answered > 0 ? durationSeconds : 0, calls > answered ? ringSeconds : 0);
    this.#lastEndMs = Math.max(this.#lastEndMs ?? 0, this.#nowMs + longest * 1000);
    const start = this.#starts.get(this.#nowMs) ?? { calls: 0, answered: 0 };
    this.#starts.set(this.#nowMs, { calls: start.calls + calls, answered: start.answered + answered });
  }

  #miss(group: LeadGroup, number: DialNumber): void {
    const endedAt = new Date(this.#nowMs + this.#plan.ringSeconds * 1000);
    const result = { kind: 'missed', reason: 'no_answer' } as const;
    const { numbers, round } = group;
    const situation = { result, numbers, calledLeadId: number.leadId, round, endedAt };
    const outcome = decideLeadOutcome(situation, this.#plan.campaign);
    if (outcome.do === 'queue') {
      const readyAtMs = outcome.readyAt.getTime();
      this.#queue.add({ ...group, round: outcome.round, turn: outcome.leadId, readyAtMs });
    } else this.#gaveUp += group.leads;
  }

  #giveUp(reason: string, leads: number): void {
    if (reason === 'max_retries') this.#gaveUp += leads;
    else this.#never.set(reason, (this.#never.get(reason) ?? 0) + leads);
  }

  result(): Flight {
    const startMs = this.#plan.startAt.getTime();
    const bucketSeconds = bucketLength(this.#nowMs - startMs, this.#stepMs);
    const buckets = new Map<number, { calls: number; answered: number }>();
    for (const [atMs, { calls, answered }] of this.#starts) {
      const bucketMs = startMs + Math.floor((atMs - startMs) / (bucketSeconds * 1000)) * bucketSeconds * 1000;
      const bucket = buckets.get(bucketMs) ?? { calls: 0, answered: 0 };
      buckets.set(bucketMs, { calls: bucket.calls + calls, answered: bucket.answered + answered });
    }
    return {
      finishAt: this.#isOver && this.#lastEndMs !== null ? new Date(this.#lastEndMs) : null,
      calls: this.#calls,
      reached: this.#reached,
      reachedMaxRetries: this.#gaveUp,
      never: this.#never,
      bucketSeconds,
      buckets,
    };
  }
}

/** A minute, doubled until the whole run fits; never shorter than a step. */
function bucketLength(runMs: number, stepMs: number): number {
  let seconds = SMALLEST_BUCKET_SECONDS;
  while (seconds * 1000 < stepMs || runMs / (seconds * 1000) > MOST_BUCKETS) seconds *= 2;
  return seconds;
}
