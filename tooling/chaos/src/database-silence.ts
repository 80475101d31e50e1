/**
 * R10: Postgres stops answering for a minute while phones talk with the assistant. No call ends because of it, and no turn of
 * a transcript is lost.
 */
import { readPhonesLog } from '@parley/e2e';
import { findCharacter, type Script } from '@parley/phones';
import { pause, systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { cutCalls } from './cut-calls.rules.ts';
import { NumberBook } from './numbers.ts';
import { STUCK_MS, untilHungUp, untilQuiet } from './quiet.ts';
import { gapsIn, lostTurns } from './sound.rules.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { gatherEvidence, resultOf } from './verdict.ts';

/** R10. */
export const databaseSilence: Check = {
  id: 'R10',
  what: 'Postgres frozen for a minute while calls talk',
  run,
};

/** Longer than the conversation of a phone, about 25 s. */
const LONGEST_CALL_SECONDS = 90;
const ANSWER_LIMIT_MS = 60_000;
const BOOK = { seed: 1, ringMs: { first: 0, last: 0 }, answerRate: 1, talkMs: { first: 0, last: 0 } };

async function run(options: CheckOptions): Promise<CheckResult> {
  const size = options.isFull ? { calls: 6, frozenMs: 60_000 } : { calls: 2, frozenMs: 15_000 };
  return withTestbed({ workers: 1, voices: 1 }, async (testbed) => {
    const { fleet, witness, receiver } = testbed;
    const numbers = new NumberBook().take('talks', size.calls);
    const assistantId = await createReportingAssistant(fleet.installation, receiver, LONGEST_CALL_SECONDS);
    const campaign = await createCampaign(fleet.installation, { assistantId, numbers, cap: size.calls });
    await tellCampaign(fleet.installation, campaign.id, 'start');
    await untilAnswered(testbed, size.calls);
    options.say(`${size.calls} calls are answered; Postgres is frozen for ${size.frozenMs / 1000} s`);
    await fleet.freeze('postgres', size.frozenMs);
    const endedMeanwhile = (await witness.calls()).filter(({ endedAtMs }) => endedAtMs !== null).length;
    const stillMs = await untilQuiet(testbed, [campaign]);
    await untilHungUp(witness);
    const evidence = await gatherEvidence(witness, fleet.sql, [campaign]);
    const result = resultOf(evidence, ['lost', 'twice', 'overCap', 'notHungUp', 'misrecorded']);
    const transcripts = await readTranscripts(testbed, campaign.id);
    const lost = transcripts.flatMap(lostIn);
    const cut = cutCalls(evidence.calls);
    const gaps = gapsIn(await readPhonesLog(fleet.installation.phonesLog), evidence.wire);
    return {
      counts: {
        calls: evidence.calls.length,
        'ended by themselves meanwhile': endedMeanwhile,
        cut: cut.length,
        'calls with gaps': gaps.length,
        'turns lost': lost.length,
        ...result.counts,
      },
      faults: [
        ...cut.map(({ number, endedReason }) => `${number} was cut: ${endedReason}`),
        ...gaps,
        ...lost.slice(0, 5),
        ...(stillMs >= STUCK_MS ? [`nothing moved for ${Math.round(stillMs / 1000)} s`] : []),
        ...result.faults,
      ],
      controls: {
        ...result.controls,
        'a lost turn': transcripts.slice(0, 1).map(halved).flatMap(lostIn).length > 0,
      },
    };
  });
}

async function untilAnswered({ witness }: Testbed, count: number): Promise<void> {
  const limitMs = systemClock.monotonic() + ANSWER_LIMIT_MS;
  while ((await witness.calls()).filter(({ answer }) => answer).length < count) {
    if (systemClock.monotonic() > limitMs) throw new Error('The phones were not called');
    await pause(systemClock, 100);
  }
}

interface Transcript {
  number: string;
  transcript: string;
}

async function readTranscripts({ fleet }: Testbed, campaignId: number): Promise<Transcript[]> {
  return fleet.sql.query<Transcript>(
    'select client_phone_number as number, transcript from calls where campaign_id = $1',
    [campaignId],
  );
}

function lostIn({ number, transcript }: Transcript): string[] {
  const character = findCharacter(number, BOOK);
  const script: Script = character.takes === 'answers' ? character.script : [];
  const lines = script.flatMap((step) => (step.do === 'say' ? [step.line] : []));
  return lostTurns(lines, transcript).map(
    (line) => `${number} said "${line}", which is not in the transcript`,
  );
}

/** Negative control: the transcript of a process that stored nothing during the second half of the call. */
function halved({ number, transcript }: Transcript): Transcript {
  return { number, transcript: transcript.slice(0, transcript.length / 2) };
}
