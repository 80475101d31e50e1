/** Asks the voice process that carries a call: to let its owner listen in or talk, to whisper, to transfer. */
import { internal, SUPERVISE_PATH, supervisionTicket, type SupervisionMode } from '@parley/contracts';
import { findAnnouncedListening, requireCallProcess, type CoreContext, type Identity } from '@parley/core';
import { z } from 'zod';
import { askVoiceProcess } from './voice-access.ts';

const TOO_SLOW = 'The call has not answered within 30 seconds.';

/**
 * Every function throws DomainError: `not-found`, also for another user's call; `conflict` when the state of the call does
 * not permit it; `unavailable` when its process does not answer.
 */
export interface SuperviseCall {
  /** @returns a path that leads to a WebSocket, valid once for 60 s */
  join(
    core: CoreContext,
    identity: Identity,
    about: { callId: number; mode: SupervisionMode },
  ): Promise<{ path: string }>;
  whisper(core: CoreContext, identity: Identity, about: { callId: number; text: string }): Promise<void>;
  /** Begins a transfer to the destination of that name. */
  transfer(
    core: CoreContext,
    identity: Identity,
    about: { callId: number; destination: string },
  ): Promise<void>;
}

type Route = typeof internal.supervise | typeof internal.whisper | typeof internal.transfer;

/** @param internalSecret - authenticates us at voice processes */
export function createSuperviseCall(internalSecret: string): SuperviseCall {
  const ask = async <Answer extends z.ZodType>(
    core: CoreContext,
    identity: Identity,
    { callId, route, body, answer }: { callId: number; route: Route; body: object; answer: Answer },
  ): Promise<z.output<Answer>> => {
    const voiceUrl = await requireCallProcess(core, identity, callId);
    return askVoiceProcess(
      core,
      { internalSecret, voiceUrl },
      {
        method: route.method,
        path: route.path.replace(':id', String(callId)),
        body,
        answer,
        passedOn: [],
        tooSlow: TOO_SLOW,
      },
    );
  };
  return {
    async join(core, identity, { callId, mode }) {
      const isAnnounced = mode === 'listen' && (await findAnnouncedListening(core, identity));
      const body = { mode, is_announced: isAnnounced };
      const { ticket } = await ask(core, identity, {
        callId,
        route: internal.supervise,
        body,
        answer: supervisionTicket,
      });
      return { path: `${SUPERVISE_PATH}?ticket=${encodeURIComponent(ticket)}` };
    },
    async whisper(core, identity, { callId, text }) {
      await ask(core, identity, { callId, route: internal.whisper, body: { text }, answer: z.object({}) });
    },
    async transfer(core, identity, { callId, destination }) {
      await ask(core, identity, {
        callId,
        route: internal.transfer,
        body: { destination },
        answer: z.object({}),
      });
    },
  };
}
