/**
 * Finds out about a trunk what the rules judge: its address, what it answers, and how its latest calls went. Every address
 * is checked where it is used, so that a member learns nothing about the network of this installation.
 */
import { isIP } from 'node:net';
import { isoMicroseconds, type TrunkDiagnosisRecord } from '@parley/contracts';
import { loadTrunkToDiagnose, type TrunkToDiagnose } from '@parley/core';
import { isForbiddenAddress } from '@parley/runtime';
import {
  ForbiddenTrunkError,
  probePort,
  type TrunkHost,
  type TrunkReply,
  type TrunkTarget,
} from '@parley/telephony';
import type { VoiceContext } from '../voice-context.ts';
import { judgeTrunk, type FoundServer, type Lookup, type TrunkFindings } from './diagnosis.rules.ts';

type Voice = Pick<VoiceContext, 'core' | 'endpoint'>;

/** How long to wait for each answer, milliseconds. */
const ANSWER_LIMIT_MS = 4_000;
const OTHER_TRANSPORT_LIMIT_MS = 2_000;
const PORT_LIMIT_MS = 1_000;
const UNAVAILABLE = 503;

interface FoundHost {
  lookup: Lookup;
  /** Empty unless it was found. */
  targets: readonly TrunkTarget[];
}

/** A server, and what it answers to OPTIONS. */
interface AskedServer {
  target: TrunkTarget;
  reply: TrunkReply;
}

/**
 * Takes at most about 20 s.
 *
 * @throws DomainError `not-found`
 */
export async function diagnoseTrunk(
  voice: Voice,
  about: { trunkId: number; callId: number | null },
): Promise<TrunkDiagnosisRecord> {
  const { core } = voice;
  const trunk = await loadTrunkToDiagnose(core, about);
  const testCall = about.callId === null ? undefined : trunk.testCall;
  const { verdict, steps } = judgeTrunk({ ...(await examine(voice, trunk)), testCall });
  return { trunk_id: trunk.id, at: isoMicroseconds(new Date(core.clock.now())), verdict, steps };
}

async function examine(voice: Voice, trunk: TrunkToDiagnose): Promise<Omit<TrunkFindings, 'testCall'>> {
  const { core, endpoint } = voice;
  const { lookup, targets } = await findHost(voice, trunk, trunk);
  const asked = await Promise.all(
    targets.map(async (target) => ({
      target,
      reply: await ask(voice, trunk, { method: 'OPTIONS', target }),
    })),
  );
  // The server that would get the next call.
  const used = asked.find(({ reply }) => isAvailable(reply)) ?? asked[0] ?? null;
  const answeredAtMs = core.clock.now();
  const { host, mediaHost, port } = endpoint.diagnostics.announced();
  return {
    trunk: {
      port: used?.target.addressPort ?? 0,
      transport: trunk.transport,
      isTlsVerified: trunk.tlsVerify,
      isHostAddress: isIP(trunk.host) !== 0,
      hasAccount: trunk.username !== null,
      registers: trunk.registers,
      registration: trunk.registration?.state ?? null,
    },
    lookup,
    servers: asked.map(serverOf),
    isPeerPublic: used !== null && !isPrivate(used.target.address),
    options: used?.reply ?? null,
    ...(await examineSilence(voice, trunk, used)),
    registrar: trunk.registers ? await examineRegistrar(voice, trunk) : null,
    announced: {
      host,
      mediaHost,
      port,
      isName: isIP(host) === 0,
      isPrivate: isPrivate(host),
      isMediaPrivate: isPrivate(mediaHost),
    },
    answeredAtMs,
    recent: trunk.recent,
  };
}

/** Why a trunk may not have answered. */
async function examineSilence(
  voice: Voice,
  trunk: TrunkToDiagnose,
  used: AskedServer | null,
): Promise<Pick<TrunkFindings, 'port' | 'answersOverOther'>> {
  if (used === null || used.reply.result === 'answered') return { port: null, answersOverOther: false };
  const { target } = used;
  const { address: host, addressPort: port } = target;
  const { transport } = trunk;
  const other = { ...trunk, transport: transport === 'udp' ? 'tcp' : 'udp' } as const;
  const limitMs = OTHER_TRANSPORT_LIMIT_MS;
  const [state, reply] = await Promise.all([
    probePort(voice.core.clock, { host, port, transport }, PORT_LIMIT_MS),
    ask(voice, other, { method: 'OPTIONS', target, limitMs }),
  ]);
  return { port: state, answersOverOther: reply.result === 'answered' };
}

/** The answer that a registration gets: that of the first server which is available. */
async function examineRegistrar(voice: Voice, trunk: TrunkToDiagnose): Promise<TrunkFindings['registrar']> {
  const [registrar, ...otherHosts] = trunk.registrars;
  const { lookup, targets } = await findHost(voice, trunk, { ...registrar, otherHosts });
  const replies = await Promise.all(
    targets.map((target) => {
      const { host, port } = target;
      return ask(voice, { ...trunk, host, port }, { method: 'REGISTER', target });
    }),
  );
  return { lookup, reply: replies.find(isAvailable) ?? replies[0] ?? null };
}

async function findHost(
  { core, endpoint }: Voice,
  trunk: TrunkToDiagnose,
  { host, port, otherHosts = [] }: TrunkHost & { otherHosts?: readonly TrunkHost[] },
): Promise<FoundHost> {
  const { transport, isOperators: isTrusted } = trunk;
  try {
    const targets = await endpoint.findTrunk({ host, port, otherHosts, transport, isTrusted });
    return { lookup: 'found', targets };
  } catch (error) {
    core.log.info({ err: error, trunkId: trunk.id }, 'The host of a diagnosed trunk cannot be used');
    return { lookup: error instanceof ForbiddenTrunkError ? 'forbidden' : 'missing', targets: [] };
  }
}

async function ask(
  { endpoint }: Voice,
  trunk: Pick<
    TrunkToDiagnose,
    'host' | 'port' | 'transport' | 'tlsVerify' | 'username' | 'authUsername' | 'password'
  >,
  about: { method: 'OPTIONS' | 'REGISTER'; target: TrunkTarget; limitMs?: number },
): Promise<TrunkReply> {
  const { host, port, transport, tlsVerify: isTlsVerified, username, authUsername, password } = trunk;
  const authentication = authUsername === null ? {} : { authUsername };
  const account = username === null ? {} : { username, ...authentication, password: password ?? '' };
  const question = {
    limitMs: ANSWER_LIMIT_MS,
    ...about,
    trunk: { host, port, transport, isTlsVerified, ...account },
  };
  return endpoint.diagnostics.ask(question);
}

function isAvailable(reply: TrunkReply): boolean {
  return reply.result === 'answered' && reply.answer.status !== UNAVAILABLE;
}

function serverOf({ target, reply }: AskedServer): FoundServer {
  const { address, addressPort, source } = target;
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return { name: `${host}:${addressPort}`, source, isAvailable: isAvailable(reply) };
}

/** A name is not judged. */
function isPrivate(host: string): boolean {
  return isIP(host) !== 0 && isForbiddenAddress(host, 'none');
}
