/**
 * R39: workers are killed around the POST of a webhook: after its arrival and before the response, and directly after the
 * response. Every finished call is reported eventually, and repeated deliveries have the same id.
 */
import { seededRandom } from '@parley/phones';
import { systemClock } from '@parley/runtime';
import { createCampaign, createReportingAssistant, tellCampaign } from './campaigns.ts';
import type { Check, CheckOptions, CheckResult } from './check.ts';
import { withTestbed, type Testbed } from './testbed.ts';
import { NumberBook } from './numbers.ts';
import { STUCK_MS, untilQuiet } from './quiet.ts';
import { faultsOf } from './receiver.ts';

/** R39. */
export const hookKills: Check = { id: 'R39', what: 'workers killed around the POST of a webhook', run };

const WORKERS = 3;

async function run(options: CheckOptions): Promise<CheckResult> {
  const size = options.isFull ? { calls: 5_000, kills: 200 } : { calls: 100, kills: 6 };
  return withTestbed({ workers: WORKERS, voices: 1 }, async (testbed) => {
    const { fleet, receiver } = testbed;
    const assistantId = await createReportingAssistant(fleet.installation, receiver);
    const numbers = new NumberBook().take('busy', size.calls);
    const campaign = await createCampaign(fleet.installation, { assistantId, numbers, cap: 20 });
    const killer = killAroundPosts(testbed, { ...size, options });
    await tellCampaign(fleet.installation, campaign.id, 'start');
    const stillMs = await untilQuiet(testbed, [campaign]);
    await killer.settled();
    const untold = await receiver.compareWith(fleet.sql, [campaign.id]);
    const repeated = receiver.received.length - new Set(receiver.received.map((hook) => hook.messageId)).size;
    const ids = [...new Set(receiver.received.map(({ callId }) => callId))];
    const [first] = receiver.received;
    const doubled = first ? [...receiver.received, { ...first, messageId: 'another' }] : [];
    return {
      counts: {
        calls: size.calls,
        kills: killer.count(),
        received: receiver.received.length,
        repeated,
        lost: untold.length,
      },
      faults: [
        ...untold.slice(0, 5),
        ...(stillMs >= STUCK_MS ? ['deliveries stood still for a minute'] : []),
        ...(killer.count() < size.kills ? [`only ${killer.count()} of ${size.kills} kills`] : []),
        ...(ids.length < size.calls ? [`only ${ids.length} of ${size.calls} calls were reported`] : []),
      ],
      controls: {
        lost: faultsOf(receiver.received.slice(0, 0), ids).length > 0,
        'another id': faultsOf(doubled, ids).length > 0,
      },
    };
  });
}

interface Killer {
  count(): number;
  /** Resolves when no kill is pending. */
  settled(): Promise<void>;
}

/** Distributes the kills over the POSTs; the receiver selects the moment. */
function killAroundPosts(
  { fleet, receiver }: Testbed,
  { calls, kills, options }: { calls: number; kills: number; options: CheckOptions },
): Killer {
  const random = seededRandom('hook kills', options.seed);
  let killed = 0;
  let last = Promise.resolve();
  const killOne = async (): Promise<void> => {
    const worker = 1 + Math.floor(random() * WORKERS);
    if (!(await fleet.kill(worker === 1 ? 'worker' : `worker-${worker}`))) return;
    killed++;
    if (killed % 20 === 0) options.say(`${killed} of ${kills} kills`);
  };
  receiver.answerWith((_hook, response) => {
    const answer = (): void => void response.writeHead(200).end('{}');
    const isDue = killed < kills && receiver.received.length >= (calls * killed * 0.9) / kills;
    if (!isDue) return answer();
    if (random() < 0.5) answer();
    else systemClock.after(random() * 100, answer);
    last = killOne();
  });
  return { count: () => killed, settled: () => last };
}
