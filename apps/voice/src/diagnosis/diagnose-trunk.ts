/**
 * Finds out about a trunk what the rules judge: its address, what it answers, and how its latest calls went. Every address
 * is checked where it is used, so that a member learns nothing about the network of this installation.
 */
import { isIP } from 'node:net';
import { isoMicroseconds, type TrunkDiagnosisRecord } from '@parley/contracts';
import { loadTrunkToDiagnose, type TrunkToDiagnose } from '@parley/core';
import { isForbiddenAddress } from '@parley/runtime';
import { ForbiddenTrunkError, probePort, type TrunkReply } from '@parley/telephony';
import type { VoiceContext } from '../voice-context.ts';
import { judgeTrunk, type Lookup, type TrunkFindings } from './diagnosis.rules.ts';

type Voice = Pick<VoiceContext, 'core' | 'line'>;

/** How long to wait for each answer, milliseconds. */
const ANSWER_LIMIT_MS = 4_000;
const OTHER_TRANSPORT_LIMIT_MS = 2_000;
const PORT_LIMIT_MS = 1_000;

interface FoundHost {
  lookup: Lookup;
  /** Null unless it was found. */
  address: string | null;
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
  const { core, line } = voice;
  const { lookup, address } = await findHost(voice, trunk, trunk.host);
  const options = address === null ? null : await ask(voice, trunk, { method: 'OPTIONS', address });
  const answeredAtMs = core.clock.now();
  const { host, mediaHost, port } = line.diagnostics.announced();
  return {
    trunk: {
      port: trunk.port,
      transport: trunk.transport,
      isTlsVerified: trunk.tlsVerify,
      isHostAddress: isIP(trunk.host) !== 0,
      hasAccount: trunk.username !== null,
      registers: trunk.registers,
      registration: trunk.registration?.state ?? null,
    },
    lookup,
    isPeerPublic: address !== null && !isPrivate(address),
    options,
    ...(await examineSilence(voice, trunk, { address, options })),
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
  { address, options }: { address: string | null; options: TrunkReply | null },
): Promise<Pick<TrunkFindings, 'port' | 'answersOverOther'>> {
  if (address === null || options?.result === 'answered') return { port: null, answersOverOther: false };
  const { port, transport } = trunk;
  const other = { ...trunk, transport: transport === 'udp' ? 'tcp' : 'udp' } as const;
  const limitMs = OTHER_TRANSPORT_LIMIT_MS;
  const [state, reply] = await Promise.all([
    probePort(voice.core.clock, { host: address, port, transport }, PORT_LIMIT_MS),
    ask(voice, other, { method: 'OPTIONS', address, limitMs }),
  ]);
  return { port: state, answersOverOther: reply.result === 'answered' };
}

async function examineRegistrar(voice: Voice, trunk: TrunkToDiagnose): Promise<TrunkFindings['registrar']> {
  const { lookup, address } = await findHost(voice, trunk, trunk.registrar.host);
  if (address === null) return { lookup, reply: null };
  const registrar = { ...trunk, ...trunk.registrar };
  return { lookup, reply: await ask(voice, registrar, { method: 'REGISTER', address }) };
}

async function findHost({ core, line }: Voice, trunk: TrunkToDiagnose, host: string): Promise<FoundHost> {
  const { port, transport, isOperators: isTrusted } = trunk;
  try {
    return { lookup: 'found', address: await line.findTrunk({ host, port, transport, isTrusted }) };
  } catch (error) {
    core.log.info({ err: error, trunkId: trunk.id }, 'The host of a diagnosed trunk cannot be used');
    return { lookup: error instanceof ForbiddenTrunkError ? 'forbidden' : 'missing', address: null };
  }
}

async function ask(
  { line }: Voice,
  trunk: Pick<TrunkToDiagnose, 'host' | 'port' | 'transport' | 'tlsVerify' | 'username' | 'password'>,
  about: { method: 'OPTIONS' | 'REGISTER'; address: string; limitMs?: number },
): Promise<TrunkReply> {
  const { host, port, transport, tlsVerify: isTlsVerified, username, password } = trunk;
  const account = username === null ? {} : { username, password: password ?? '' };
  const question = {
    limitMs: ANSWER_LIMIT_MS,
    ...about,
    trunk: { host, port, transport, isTlsVerified, ...account },
  };
  return line.diagnostics.ask(question);
}

/** A name is not judged. */
function isPrivate(host: string): boolean {
  return isIP(host) !== 0 && isForbiddenAddress(host, 'none');
}
