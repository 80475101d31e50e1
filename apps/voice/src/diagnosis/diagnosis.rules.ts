/** Judges what was found about a trunk: one verdict for each step, with a cure. */
import type { DiagnosisStepRecord, TrunkDiagnosisRecord } from '@parley/contracts';
import type { TracedCall } from '@parley/core';
import type { PortState, TransportName, TrunkAnswer, TrunkReply } from '@parley/telephony';
import { texts } from './texts.ts';

/** Whether the host of a trunk leads to an address that it may use. */
export type Lookup = 'found' | 'missing' | 'forbidden';

/** A server of the trunk. */
export interface FoundServer {
  /** `192.0.2.1:5060` */
  name: string;
  /** Which DNS records have led to it. */
  source: 'naptr' | 'srv' | 'host';
  /** It answers OPTIONS, and not with 503. */
  isAvailable: boolean;
}

/** What was found. */
export interface TrunkFindings {
  trunk: {
    port: number;
    transport: TransportName;
    isTlsVerified: boolean;
    isHostAddress: boolean;
    hasAccount: boolean;
    registers: boolean;
    registration: 'registering' | 'registered' | 'failed' | null;
  };
  lookup: Lookup;
  /** In the order in which they are tried; empty unless the host was found. */
  servers: readonly FoundServer[];
  /** The trunk has a public address. */
  isPeerPublic: boolean;
  /** The answer to OPTIONS; null when it could not be asked. */
  options: TrunkReply | null;
  /** Without an answer: whether something listens on the port. */
  port: PortState | null;
  /** Without an answer: whether the trunk answers over the other transport. */
  answersOverOther: boolean;
  /** Null for a trunk that does not register. */
  registrar: { lookup: Lookup; reply: TrunkReply | null } | null;
  /** The addresses of ours that the trunk learns; `isPrivate`: it cannot be reached from the internet. */
  announced: {
    host: string;
    mediaHost: string;
    port: number;
    /** A name cannot be compared with the address that a trunk sees. */
    isName: boolean;
    isPrivate: boolean;
    isMediaPrivate: boolean;
  };
  /** When the answer to OPTIONS came, milliseconds since 1970. */
  answeredAtMs: number;
  /** Newest first. */
  recent: readonly TracedCall[];
  /** Undefined: none was named. Null: it did not use this trunk. */
  testCall: TracedCall | null | undefined;
}

type Step = DiagnosisStepRecord['step'];
type Judgement = Omit<DiagnosisStepRecord, 'step'>;

/** A larger difference of clocks is reported. */
const CLOCK_LIMIT_MS = 30_000;
/** A higher share of lost packets is reported. */
const LOSS_LIMIT = 0.05;
/** 415 Unsupported Media Type, 488 and 606 Not Acceptable. */
const CODEC_REFUSALS: readonly (number | null)[] = [415, 488, 606];
/** Forbidden, and the refusals of RFC 5079, RFC 8224 and RFC 8688. */
const IDENTITY_REFUSALS: readonly (number | null)[] = [403, 428, 433, 436, 437, 438, 607, 608];
const REFUSALS: readonly number[] = [403, 603];
const NOT_READY: readonly number[] = [500, 502, 503, 504];

const ok = (message: string): Judgement => ({ verdict: 'ok', message, cure: null });
const skipped = (message: string): Judgement => ({ verdict: 'skipped', message, cure: null });
const warning = (message: string, cure: string | null): Judgement => ({ verdict: 'warning', message, cure });
const failed = (message: string, cure: string): Judgement => ({ verdict: 'failed', message, cure });

const JUDGES: readonly (readonly [Step, (found: TrunkFindings) => Judgement])[] = [
  ['dns', judgeName],
  ['address', judgeAddress],
  ['servers', judgeServers],
  ['reach', judgeReach],
  ['tls', judgeTls],
  ['authentication', judgeAuthentication],
  ['registration', judgeRegistration],
  ['codec', judgeCodec],
  ['caller_identity', judgeIdentity],
  ['nat', judgeNat],
  ['clock', judgeClock],
  ['audio', judgeAudio],
];

/** @returns every step in order, and the worst verdict */
export function judgeTrunk(found: TrunkFindings): Pick<TrunkDiagnosisRecord, 'verdict' | 'steps'> {
  const steps = JUDGES.map(([step, judge]) => ({ step, ...judge(found) }));
  const has = (verdict: Judgement['verdict']): boolean => steps.some((step) => step.verdict === verdict);
  return { verdict: has('failed') ? 'failed' : has('warning') ? 'warning' : 'ok', steps };
}

function judgeName({ lookup, trunk }: TrunkFindings): Judgement {
  if (lookup === 'missing') return failed(texts.dns.missing, texts.dns.missingCure);
  return ok(trunk.isHostAddress ? texts.dns.isAddress : texts.dns.found);
}

function judgeAddress({ lookup }: TrunkFindings): Judgement {
  if (lookup === 'missing') return skipped(texts.later);
  return lookup === 'found'
    ? ok(texts.address.allowed)
    : failed(texts.address.forbidden, texts.address.forbiddenCure);
}

function judgeServers({ servers }: TrunkFindings): Judgement {
  const [first] = servers;
  if (!first) return skipped(texts.later);
  const silent = servers.filter(({ isAvailable }) => !isAvailable);
  const isSilentWhole = silent.length === servers.length;
  if (silent.length > 0 && !isSilentWhole)
    return warning(texts.servers.silent(namesOf(silent)), texts.servers.silentCure);
  return ok(texts.servers[first.source](namesOf(servers)));
}

function namesOf(servers: readonly FoundServer[]): string {
  return servers.map(({ name }) => name).join(', ');
}

function judgeReach({ options, port, answersOverOther, trunk, recent }: TrunkFindings): Judgement {
  if (options === null) return skipped(texts.later);
  if (options.result === 'answered') {
    const { status } = options.answer;
    return NOT_READY.includes(status)
      ? warning(texts.reach.unavailable(status), texts.reach.unavailableCure)
      : ok(texts.reach.answered(status));
  }
  const used = trunk.transport.toUpperCase();
  const other = trunk.transport === 'udp' ? 'TCP' : 'UDP';
  if (answersOverOther)
    return failed(texts.reach.otherTransport(trunk.port, used, other), texts.reach.otherTransportCure(other));
  if (port === 'closed') return failed(texts.reach.closed(trunk.port, used), texts.reach.closedCure);
  if (recent.some(({ sipStatus }) => sipStatus !== null)) return warning(texts.reach.callsPass, null);
  return failed(port === 'open' ? texts.reach.open : texts.reach.silent, texts.reach.silentCure);
}

function judgeTls({ options, port, trunk }: TrunkFindings): Judgement {
  if (trunk.transport !== 'tls') return skipped(texts.tls.none);
  if (options?.result === 'answered')
    return trunk.isTlsVerified
      ? ok(texts.tls.verified)
      : warning(texts.tls.unverified, texts.tls.unverifiedCure);
  return options?.result === 'undelivered' && port === 'open'
    ? failed(texts.tls.failed, texts.tls.failedCure)
    : skipped(texts.later);
}

function judgeAuthentication(found: TrunkFindings): Judgement {
  const answers = [found.options, found.registrar?.reply ?? null].flatMap((reply) => answerOf(reply) ?? []);
  if (answers.length === 0) return skipped(texts.later);
  const refusal = answers.find((answer) => answer.refusal !== null);
  if (refusal) return judgeRefusal(refusal, found.trunk.hasAccount);
  const refused = answers.find(({ status }) => REFUSALS.includes(status));
  if (refused) return failed(texts.authentication.refused(refused.status), texts.authentication.refusedCure);
  return answers.some(({ wasChallenged }) => wasChallenged)
    ? ok(texts.authentication.accepted)
    : skipped(texts.authentication.notAsked);
}

function judgeRefusal({ refusal }: TrunkAnswer, hasAccount: boolean): Judgement {
  const { authentication } = texts;
  if (!hasAccount) return failed(authentication.missing, authentication.missingCure);
  if (refusal === 'unsupported') return failed(authentication.unsupported, authentication.unsupportedCure);
  if (refusal === 'stale-again') return failed(authentication.stale, authentication.staleCure);
  return failed(authentication.wrong, authentication.wrongCure);
}

function judgeRegistration({ registrar, trunk }: TrunkFindings): Judgement {
  const { registration } = texts;
  if (registrar === null) return skipped(trunk.registers ? texts.later : registration.none);
  if (registrar.lookup === 'missing') return failed(registration.noHost, registration.noHostCure);
  if (registrar.lookup === 'forbidden') return failed(registration.forbidden, registration.forbiddenCure);
  const answer = answerOf(registrar.reply);
  if (!answer) return failed(registration.silent, registration.silentCure);
  if (answer.refusal !== null) return failed(registration.wrong, registration.wrongCure);
  if (answer.status >= 300) return failed(registration.refused(answer.status), registration.refusedCure);
  if (trunk.registration === 'registered') return ok(registration.registered);
  return trunk.registration === 'failed'
    ? warning(registration.failed, registration.failedCure)
    : warning(registration.pending, registration.pendingCure);
}

function judgeCodec({ options, recent, testCall }: TrunkFindings): Judgement {
  const latest = testCall ?? recent[0];
  if (latest && CODEC_REFUSALS.includes(latest.sipStatus))
    return failed(texts.codec.refused(latest.sipStatus ?? 0), texts.codec.cure);
  const isUsable = answerOf(options)?.isAudioUsable ?? null;
  if (isUsable === false) return failed(texts.codec.none, texts.codec.cure);
  const isProven = latest !== undefined && latest.media !== null;
  return isUsable || isProven ? ok(texts.codec.common) : skipped(texts.codec.unknown);
}

function judgeIdentity({ recent, testCall }: TrunkFindings): Judgement {
  const latest = testCall ?? recent[0];
  if (!latest || latest.sipStatus === null) return skipped(texts.identity.unknown);
  return IDENTITY_REFUSALS.includes(latest.sipStatus)
    ? failed(texts.identity.refused(latest.sipStatus), texts.identity.cure)
    : ok(texts.identity.accepted);
}

function judgeNat({ options, announced, isPeerPublic }: TrunkFindings): Judgement {
  const answer = answerOf(options);
  if (isPeerPublic && announced.isPrivate)
    return failed(texts.nat.privateHost(announced.host), texts.nat.cure);
  if (isPeerPublic && announced.isMediaPrivate)
    return failed(texts.nat.privateHost(announced.mediaHost), texts.nat.cure);
  if (!answer) return skipped(texts.later);
  if (!answer.seenAs) return skipped(texts.nat.unseen);
  const { host, port } = answer.seenAs;
  if (!announced.isName && host !== announced.host)
    return failed(texts.nat.seenElsewhere(announced.host, host), texts.nat.cure);
  return port !== null && port !== announced.port
    ? warning(texts.nat.port(announced.port, port), texts.nat.portCure)
    : ok(texts.nat.fine);
}

function judgeClock({ options, answeredAtMs }: TrunkFindings): Judgement {
  const answer = answerOf(options);
  if (!answer) return skipped(texts.later);
  if (!answer.date) return skipped(texts.clock.unknown);
  const differenceMs = Math.abs(answer.date.getTime() - answeredAtMs);
  if (differenceMs <= CLOCK_LIMIT_MS) return ok(texts.clock.same);
  return warning(texts.clock.different(Math.round(differenceMs / 6_000) / 10), texts.clock.cure);
}

function judgeAudio({ recent, testCall }: TrunkFindings): Judgement {
  if (testCall === null) return failed(texts.audio.otherTrunk, texts.audio.otherTrunkCure);
  const call = testCall ?? recent.find(({ media }) => media !== null);
  if (!call) return skipped(texts.audio.unknown);
  const { media } = call;
  if (!media) return failed(texts.audio.unanswered(call.sipStatus), texts.audio.unansweredCure);
  const { packetsSent: sent, packetsReceived: received, packetsLost: lost, far } = media;
  if (received === 0) return failed(texts.audio.notReceived, texts.audio.notReceivedCure);
  if (sent === 0) return failed(texts.audio.notSent, texts.audio.notSentCure);
  const share = Math.max(lost / (received + lost), Math.min(1, (far?.packetsLost ?? 0) / sent));
  return share > LOSS_LIMIT
    ? warning(texts.audio.lost(Math.round(share * 100)), texts.audio.lostCure)
    : ok(texts.audio.both(sent, received));
}

function answerOf(reply: TrunkReply | null): TrunkAnswer | null {
  return reply?.result === 'answered' ? reply.answer : null;
}
