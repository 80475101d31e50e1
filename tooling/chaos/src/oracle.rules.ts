/**
 * The judge of a run: compares what the carrier wrote down (an INVITE, its end) with what the database says afterwards.
 * It knows nothing of the dialer's own rules: windows come as instants, limits as numbers.
 *
 * A call whose voice process died cannot end on the wire; for the limit it ends when the database gave it up.
 */

/** One INVITE with its Call-ID, as the carrier saw it. Times are wall clock, milliseconds. */
export interface WireCall {
  sipCallId: string;
  number: string;
  invitedAtMs: number;
  /** A final refusal sent, a CANCEL or a BYE seen; null: none of them yet. */
  endedAtMs: number | null;
}

/** One row of `calls`. */
export interface StoredCall {
  campaignId: number;
  number: string;
  status: string;
  endedReason: string | null;
  /** When voice was allowed to send the INVITE; null: never. */
  dialedAtMs: number | null;
  answeredAtMs: number | null;
  endedAtMs: number | null;
}

/** One row of `leads`, and where it waits. */
export interface StoredLead {
  campaignId: number;
  number: string;
  status: string;
  isQueued: boolean;
  isInCall: boolean;
}

/** What a campaign was told. */
export interface CampaignFact {
  id: number;
  cap: number;
  /** Calls that one lead may get. */
  rounds: number;
  opensAtMs: number;
  closesAtMs: number;
  /** It says of itself that nobody is left to be called. */
  isComplete: boolean;
}

/** Everything a verdict rests on. */
export interface Evidence {
  wire: readonly WireCall[];
  calls: readonly StoredCall[];
  leads: readonly StoredLead[];
  campaigns: readonly CampaignFact[];
}

/** What was found, a sentence for each fault. */
export type Verdict = Record<Charge, string[]>;

/** What a dialer can be accused of. */
export const CHARGES = ['lost', 'twice', 'overCap', 'outsideWindow', 'late'] as const;
/** One of {@link CHARGES}. */
export type Charge = (typeof CHARGES)[number];

/** From the permission to the wire, and from a log line to the next: what a busy machine needs, milliseconds. */
const WIRE_TOLERANCE_MS = 250;
/** Ends after which the same round may be dialed again: nobody was asked, or the fault was ours. */
const NO_ATTEMPT = new Set(['campaign_stopped', 'cancelled', 'unreachable', 'shutdown', 'internal_error']);

/** Judges. Pure, so that spoiled evidence can show that it would have spoken up: {@link spoilEvidence}. */
export function judge(evidence: Evidence): Verdict {
  const wireByNumber = Map.groupBy(evidence.wire, ({ number }) => number);
  const callsByNumber = Map.groupBy(evidence.calls, ({ number }) => number);
  const leadsByNumber = new Map(evidence.leads.map((lead) => [lead.number, lead]));
  const campaigns = new Map(evidence.campaigns.map((campaign) => [campaign.id, campaign]));
  const verdict: Verdict = { lost: [], twice: [], overCap: [], outsideWindow: [], late: [] };
  for (const lead of evidence.leads) {
    const campaign = campaigns.get(lead.campaignId);
    const wire = wireByNumber.get(lead.number) ?? [];
    const calls = callsByNumber.get(lead.number) ?? [];
    if (!campaign) continue;
    verdict.lost.push(...lostThrough({ lead, campaign, wire, calls }));
    verdict.twice.push(...dialedTwice({ lead, campaign, wire, calls }));
    verdict.outsideWindow.push(...outsideWindow(campaign, wire));
    verdict.late.push(...wire.flatMap((call) => tooLate(call, calls)));
  }
  const strangers = evidence.wire.filter(({ number }) => !leadsByNumber.has(number));
  verdict.twice.push(...strangers.map(({ number }) => `${number} was called and is nobody's lead`));
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
  // The process died between the permission and the wire: the attempt counts as made, by design.
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

/** An INVITE of a call that had been given up: somebody who was fenced wrote to the wire after all. */
function tooLate(call: WireCall, calls: readonly StoredCall[]): string[] {
  const endedAtMs = storedCallOf(call, calls)?.endedAtMs ?? Infinity;
  return call.invitedAtMs > endedAtMs + WIRE_TOLERANCE_MS
    ? [`${call.number} was called ${call.invitedAtMs - endedAtMs} ms after its call had ended`]
    : [];
}

/** The last call to that number that was allowed before the INVITE was seen. */
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
  // An end comes before a begin of the same millisecond: that is the refill we ask for.
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
 * The negative control: the same evidence with one fault put in, which {@link judge} must find.
 *
 * @returns null where the run offers nothing to spoil, for example no call at all
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
    case 'late': {
      const end = evidence.calls.find(({ number }) => number === call.number)?.endedAtMs ?? call.invitedAtMs;
      return withWire({ ...call, invitedAtMs: end + 1_000, endedAtMs: null });
    }
  }
}

/** A lead of a campaign with opening hours is called before or after them. */
function spoilWindow(evidence: Evidence): Evidence | null {
  const instants = evidence.campaigns.flatMap(({ id, opensAtMs, closesAtMs }) => [
    { id, invitedAtMs: opensAtMs - 1_000 },
    { id, invitedAtMs: closesAtMs + 1_000 },
  ]);
  const wrong = instants.find(({ invitedAtMs }) => Number.isFinite(invitedAtMs));
  const lead = evidence.leads.find(({ campaignId }) => campaignId === wrong?.id);
  if (!wrong || !lead) return null;
  const { invitedAtMs } = wrong;
  const call: WireCall = { sipCallId: 'outside', number: lead.number, invitedAtMs, endedAtMs: null };
  return { ...evidence, wire: [...evidence.wire, call] };
}

function leadOf(evidence: Evidence, call: WireCall | undefined): StoredLead | undefined {
  return evidence.leads.find(({ number }) => number === call?.number);
}
