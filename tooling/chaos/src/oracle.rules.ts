/**
 * The oracle of a run: compares the log of the carrier (each INVITE and its end) with the database afterwards. It shares no
 * rules with the dialer: calling windows are given as instants, limits as numbers.
 *
 * A call whose voice process died cannot end on the wire; for the limit it ends when the database gave it up.
 */

/** One INVITE with its Call-ID, as received by the carrier. Times are wall clock, milliseconds. */
export interface WireCall {
  sipCallId: string;
  number: string;
  invitedAtMs: number;
  /** A final error response, a CANCEL or a BYE; null if there was none. */
  endedAtMs: number | null;
  /** Null if the carrier has not answered the call. */
  answer: WireAnswer | null;
}

/** A 200 of the carrier. */
interface WireAnswer {
  atMs: number;
  /** A BYE has arrived, or the phone hung up a dialog that was acknowledged. */
  isHungUp: boolean;
}

/** One row of `calls`. */
export interface StoredCall {
  campaignId: number;
  number: string;
  status: string;
  endedReason: string | null;
  /** When voice was permitted to send the INVITE; null if it was not. */
  dialedAtMs: number | null;
  answeredAtMs: number | null;
  endedAtMs: number | null;
}

/** One row of `leads`, with its entry in the dial queue. */
export interface StoredLead {
  campaignId: number;
  number: string;
  status: string;
  isQueued: boolean;
  isInCall: boolean;
}

/** The settings of a campaign. */
export interface CampaignFact {
  id: number;
  cap: number;
  /** Maximum number of calls to one lead. */
  rounds: number;
  opensAtMs: number;
  closesAtMs: number;
  /** The campaign reports that no lead is left to be called. */
  isComplete: boolean;
}

/** The evidence of a run. */
export interface Evidence {
  wire: readonly WireCall[];
  calls: readonly StoredCall[];
  leads: readonly StoredLead[];
  campaigns: readonly CampaignFact[];
}

/** The faults of each charge, one sentence each. */
export type Verdict = Record<Charge, string[]>;

/** The kinds of faults. */
export const CHARGES = [
  'lost',
  'twice',
  'overCap',
  'outsideWindow',
  'late',
  'notHungUp',
  'misrecorded',
] as const;
/** One of {@link CHARGES}. */
export type Charge = (typeof CHARGES)[number];

/** Tolerance for the time between permission and wire, and between log lines, on a busy machine, milliseconds. */
const WIRE_TOLERANCE_MS = 250;
/** End reasons after which the same round may be dialed again, because the call does not count as an attempt. */
const NO_ATTEMPT = new Set(['campaign_stopped', 'cancelled', 'unreachable', 'shutdown', 'internal_error']);

/** Judges a run. Pure, so that {@link spoilEvidence} can show that it detects faults. */
export function judge(evidence: Evidence): Verdict {
  const wireByNumber = Map.groupBy(evidence.wire, ({ number }) => number);
  const callsByNumber = Map.groupBy(evidence.calls, ({ number }) => number);
  const leadsByNumber = new Map(evidence.leads.map((lead) => [lead.number, lead]));
  const campaigns = new Map(evidence.campaigns.map((campaign) => [campaign.id, campaign]));
  const verdict: Verdict = {
    lost: [],
    twice: [],
    overCap: [],
    outsideWindow: [],
    late: [],
    notHungUp: [],
    misrecorded: [],
  };
  for (const lead of evidence.leads) {
    const campaign = campaigns.get(lead.campaignId);
    const wire = wireByNumber.get(lead.number) ?? [];
    const calls = callsByNumber.get(lead.number) ?? [];
    if (!campaign) continue;
    verdict.lost.push(...lostThrough({ lead, campaign, wire, calls }));
    verdict.twice.push(...dialedTwice({ lead, campaign, wire, calls }));
    verdict.outsideWindow.push(...outsideWindow(campaign, wire));
    verdict.late.push(...wire.flatMap((call) => tooLate(call, calls)));
    verdict.notHungUp.push(
      ...wire.filter(isLeftAlone).map(({ number }) => `${number} answered and got no BYE`),
    );
    verdict.misrecorded.push(...wire.flatMap((call) => misrecorded(call, calls)));
  }
  const strangers = evidence.wire.filter(({ number }) => !leadsByNumber.has(number));
  verdict.twice.push(...strangers.map(({ number }) => `${number} was called but is not a lead`));
  for (const campaign of evidence.campaigns) {
    const own = evidence.wire.filter(({ number }) => leadsByNumber.get(number)?.campaignId === campaign.id);
    verdict.overCap.push(...overCap(campaign, own, callsByNumber));
  }
  return verdict;
}

interface LeadEvidence {
  lead: StoredLead;
  campaign: CampaignFact;
  wire: readonly WireCall[];
  calls: readonly StoredCall[];
}

function lostThrough({ lead, campaign, wire, calls }: LeadEvidence): string[] {
  if (lead.status === 'created') {
    if (!lead.isQueued && !lead.isInCall) return [`${lead.number} waits nowhere`];
    return campaign.isComplete ? [`${lead.number} was left over by a campaign that says it is complete`] : [];
  }
  // If the process died between permission and wire, the attempt counts, by design.
  const isExcused = calls.some((call) => call.dialedAtMs !== null && call.endedReason === 'process_lost');
  return wire.length === 0 && !isExcused ? [`${lead.number} was settled and never called`] : [];
}

function dialedTwice({ lead, campaign, wire, calls }: LeadEvidence): string[] {
  const dialed = calls.filter((call) => call.dialedAtMs !== null);
  const noAttempt = dialed.filter((call) => NO_ATTEMPT.has(call.endedReason ?? ''));
  const allowed = Math.min(dialed.length, campaign.rounds + noAttempt.length);
  return wire.slice(allowed).map((call) => `${lead.number} was called once more (${call.sipCallId})`);
}

function outsideWindow({ opensAtMs, closesAtMs }: CampaignFact, wire: readonly WireCall[]): string[] {
  return wire
    .filter(({ invitedAtMs: at }) => at < opensAtMs || at >= closesAtMs + WIRE_TOLERANCE_MS)
    .map(({ number, invitedAtMs }) => `${number} was called at ${new Date(invitedAtMs).toISOString()}`);
}

/** An INVITE of a call that had been given up: a fenced process sent it. */
function tooLate(call: WireCall, calls: readonly StoredCall[]): string[] {
  const endedAtMs = storedCallOf(call, calls)?.endedAtMs ?? Infinity;
  return call.invitedAtMs > endedAtMs + WIRE_TOLERANCE_MS
    ? [`${call.number} was called ${call.invitedAtMs - endedAtMs} ms after its call had ended`]
    : [];
}

/** The phone was answered, and its call has not ended on the wire. */
export function isLeftAlone({ answer }: WireCall): boolean {
  return answer !== null && !answer.isHungUp;
}

/** The record of a call that the carrier has answered must not say that it was not answered. */
function misrecorded(call: WireCall, calls: readonly StoredCall[]): string[] {
  const isWrong = call.answer !== null && storedCallOf(call, calls)?.status === 'no-answer';
  return isWrong ? [`${call.number} answered and is recorded as no-answer`] : [];
}

/** The last call to the number that was permitted before the INVITE was received. */
function storedCallOf({ invitedAtMs }: WireCall, calls: readonly StoredCall[]): StoredCall | undefined {
  return calls
    .filter(({ dialedAtMs }) => dialedAtMs !== null && dialedAtMs <= invitedAtMs + 1)
    .toSorted((a, b) => (b.dialedAtMs ?? 0) - (a.dialedAtMs ?? 0))[0];
}

function overCap(
  { id, cap }: CampaignFact,
  wire: readonly WireCall[],
  callsByNumber: ReadonlyMap<string, readonly StoredCall[]>,
): string[] {
  const steps = wire.flatMap((call) => {
    const stored = storedCallOf(call, callsByNumber.get(call.number) ?? []);
    const givenUpAtMs = stored?.endedReason === 'process_lost' ? (stored.endedAtMs ?? Infinity) : Infinity;
    const endMs = Math.min(call.endedAtMs ?? Infinity, givenUpAtMs);
    return [
      { atMs: call.invitedAtMs, change: 1 },
      { atMs: Math.max(endMs, call.invitedAtMs), change: -1 },
    ];
  });
  let live = 0;
  let most = 0;
  // An end precedes a start in the same millisecond, because refills are immediate.
  for (const { change } of steps.toSorted((a, b) => a.atMs - b.atMs || a.change - b.change)) {
    live += change;
    most = Math.max(most, live);
  }
  return Array.from(
    { length: Math.max(0, most - cap) },
    () => `campaign ${id}: ${most} calls at once, ${cap} allowed`,
  );
}

/**
 * The negative control: the same evidence with one injected fault, which {@link judge} must detect.
 *
 * @returns null if the run has nothing to change, for example no call
 */
export function spoilEvidence(charge: Charge, evidence: Evidence): Evidence | null {
  if (charge === 'outsideWindow') return spoilWindow(evidence);
  const [call] = evidence.wire;
  const campaign = evidence.campaigns.find(({ id }) => id === leadOf(evidence, call)?.campaignId);
  if (!call || !campaign) return null;
  const withWire = (...added: WireCall[]): Evidence => ({ ...evidence, wire: [...evidence.wire, ...added] });
  switch (charge) {
    case 'lost': {
      const forget = (lead: StoredLead): StoredLead =>
        lead.number === call.number ? { ...lead, status: 'created', isQueued: false, isInCall: false } : lead;
      return { ...evidence, leads: evidence.leads.map(forget) };
    }
    case 'twice':
      return withWire({ ...call, sipCallId: 'once-more' });
    case 'overCap':
      return withWire(
        ...Array.from({ length: campaign.cap + 1 }, (_, index) => ({
          ...call,
          sipCallId: `beside-${index}`,
          endedAtMs: call.invitedAtMs + 1,
        })),
      );
    case 'notHungUp':
      return withWire({ ...call, answer: { atMs: call.invitedAtMs, isHungUp: false } });
    case 'misrecorded': {
      const [first, ...others] = evidence.wire;
      const isOurs = (stored: StoredCall): boolean => stored.number === call.number;
      return {
        ...evidence,
        wire: [
          ...(first ? [{ ...first, answer: { atMs: first.invitedAtMs, isHungUp: true } }] : []),
          ...others,
        ],
        calls: evidence.calls.map((stored) => (isOurs(stored) ? { ...stored, status: 'no-answer' } : stored)),
      };
    }
    case 'late': {
      const end = evidence.calls.find(({ number }) => number === call.number)?.endedAtMs ?? call.invitedAtMs;
      return withWire({ ...call, invitedAtMs: end + 1_000, endedAtMs: null });
    }
  }
}

/** A lead of a campaign with a calling window is called outside of it. */
function spoilWindow(evidence: Evidence): Evidence | null {
  const instants = evidence.campaigns.flatMap(({ id, opensAtMs, closesAtMs }) => [
    { id, invitedAtMs: opensAtMs - 1_000 },
    { id, invitedAtMs: closesAtMs + 1_000 },
  ]);
  const wrong = instants.find(({ invitedAtMs }) => Number.isFinite(invitedAtMs));
  const lead = evidence.leads.find(({ campaignId }) => campaignId === wrong?.id);
  if (!wrong || !lead) return null;
  const { invitedAtMs } = wrong;
  const call = { sipCallId: 'outside', number: lead.number, invitedAtMs, endedAtMs: null, answer: null };
  return { ...evidence, wire: [...evidence.wire, call] };
}

function leadOf(evidence: Evidence, call: WireCall | undefined): StoredLead | undefined {
  return evidence.leads.find(({ number }) => number === call?.number);
}
