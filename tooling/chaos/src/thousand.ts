/**
 * A campaign of a thousand leads on the test phones, with a worker killed in the middle. The behaviour of the phones
 * determines how many are reached, busy, absent, declining, machines or out of service; the result must match exactly.
 */
import { createAssistant, type Installation } from '@parley/e2e';
import { findCharacter, type Character } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { withTestbed } from './testbed.ts';
import type { StoredCall } from './oracle.rules.ts';
import { gatherEvidence, resultOf } from './verdict.ts';
import { STUCK_MS, untilQuiet } from './quiet.ts';

/** A thousand leads. */
export const thousand: Check = { id: 'thousand', what: 'a thousand leads, each with its expected end', run };

const BOOK = {
  seed: 1,
  ringMs: { first: 100, last: 400 },
  answerRate: 0.3,
  talkMs: { first: 1000, last: 2000 },
};
const ENVIRONMENT = {
  PHONES_SEED: String(BOOK.seed),
  PHONES_RING_MS: `${BOOK.ringMs.first}-${BOOK.ringMs.last}`,
  PHONES_ANSWER_RATE: String(BOOK.answerRate),
  PHONES_TALK_MS: `${BOOK.talkMs.first}-${BOOK.talkMs.last}`,
};
const FIRST_CROWD_AREA = 900;

/** Status and end reason of a call, by the behaviour of its phone. */
const ENDS = {
  answered: 'completed',
  486: 'busy busy',
  603: 'failed rejected',
  503: 'failed unavailable',
  ignores: 'no-answer no_answer',
} as const;

async function run(options: CheckOptions): Promise<CheckResult> {
  const leads = options.isFull ? 1_000 : 60;
  const numbers = crowdNumbers(leads);
  return withTestbed({ workers: 2, voices: 1, environment: ENVIRONMENT }, async (testbed) => {
    const { fleet, receiver, witness } = testbed;
    const assistantId = await createAssistant(fleet.installation, {
      webhookUrl: receiver.url,
      maxCallSeconds: 30,
    });
    const campaign = await createCampaign(fleet.installation, {
      assistantId,
      numbers,
      cap: options.isFull ? 16 : 12,
    });
    await tellCampaign(fleet.installation, campaign.id, 'start');
    const seen = watchLive(fleet.installation, campaign.id, options.say);
    while ((await witness.countCalls()) < leads / 2) await pause(systemClock, 100);
    await fleet.kill('worker');
    options.say('a worker was killed');
    const stillMs = await untilQuiet(testbed, [campaign]);
    const progress = await seen.stop();
    const evidence = await gatherEvidence(witness, fleet.sql, [campaign]);
    const result = resultOf(evidence, ['lost', 'twice', 'overCap', 'late']);
    const wrong = unexpectedEnds(numbers, evidence.calls);
    return {
      counts: { leads, ...mixOf(evidence.calls), unexpected: wrong.length, ...result.counts },
      faults: [
        ...wrong.slice(0, 10),
        ...result.faults,
        ...(stillMs >= STUCK_MS ? ['nothing moved for a minute'] : []),
        ...(progress < 2 ? ['the progress was not seen to move'] : []),
      ],
      controls: {
        ...result.controls,
        unexpected: unexpectedEnds(numbers, spoil(evidence.calls)).length > wrong.length,
      },
    };
  });
}

function crowdNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const area = FIRST_CROWD_AREA + Math.floor(index / 100);
    return `+1${area}55501${String(index % 100).padStart(2, '0')}`;
  });
}

/** The expected result of a call. */
function expectedEnd(character: Character): string {
  if (character.takes === 'answers') return ENDS.answered;
  if (character.takes === 'ignores') return ENDS.ignores;
  return ENDS[character.status as keyof typeof ENDS] ?? 'failed rejected';
}

/** One sentence for each number whose call did not end as expected. */
function unexpectedEnds(numbers: readonly string[], calls: readonly StoredCall[]): string[] {
  const byNumber = Map.groupBy(calls, ({ number }) => number);
  return numbers.flatMap((number) => {
    const expected = expectedEnd(findCharacter(number, BOOK));
    const ends = (byNumber.get(number) ?? []).map(endOf);
    return ends.length === 1 && ends[0] === expected
      ? []
      : [`${number}: expected ${expected}, found ${ends.join(', ') || 'no call'}`];
  });
}

function endOf({ status, endedReason }: StoredCall): string {
  return status === 'completed' ? status : `${status} ${endedReason}`;
}

function mixOf(calls: readonly StoredCall[]): Record<string, number> {
  const mix = [...Map.groupBy(calls, endOf)].map(([end, group]): [string, number] => [end, group.length]);
  return Object.fromEntries(mix.toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Negative control: one call with another result. */
function spoil([first, ...others]: readonly StoredCall[]): StoredCall[] {
  return first ? [{ ...first, status: 'failed', endedReason: 'line_lost' }, ...others] : [];
}

/** Polls the progress of the campaign. `stop` returns the number of different states. */
function watchLive(
  installation: Installation,
  campaignId: number,
  say: (line: string) => void,
): { stop(): Promise<number> } {
  const stopping = new AbortController();
  const states = new Set<string>();
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const campaign = await installation
        .request('GET', `/api/user/campaigns/${campaignId}`)
        .catch(() => null);
      const state = JSON.stringify(progressOf(campaign));
      if (campaign !== null && !states.has(state)) say(state);
      if (campaign !== null) states.add(state);
      await pause(systemClock, 2_000, stopping.signal);
    }
  };
  const watching = watch();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return states.size;
    },
  };
}

function progressOf(campaign: unknown): unknown {
  const { progress, status } = (campaign ?? {}) as { progress?: unknown; status?: string };
  return { status, progress };
}
