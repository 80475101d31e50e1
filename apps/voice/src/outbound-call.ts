/**
 * A call that somebody asked for: load it, ask once more whether it may be dialed, send the one INVITE, hold it. The
 * hand-over may be repeated at any time; whoever comes second finds the call here or finds it ended.
 */
import { authorizeDial, DomainError, loadCallForVoice, recordCallEvent } from '@parley/core';
import { pause } from '@parley/runtime';
import type { HangUpRequest } from './call-end.rules.ts';
import { CallSession } from './call-session.ts';
import type { LiveCall } from './live-calls.ts';
import { openServers } from './tools/mcp/mcp-toolbox.ts';
import { trunkAddress } from './trunk-address.ts';
import type { VoiceContext } from './voice-context.ts';

/** Takes a call over. It is in `voice.calls` when this returns; the dialing goes on by itself. */
export function dialCall(voice: VoiceContext, callId: number): void {
  const call = new OutboundCall(voice, callId);
  voice.calls.add(call);
  voice.background.start('dial a call', async () => {
    await call.run().catch((error: unknown) => call.fail(error));
    voice.calls.remove(call);
  });
}

class OutboundCall implements LiveCall {
  readonly callId: number;
  readonly #voice: VoiceContext;
  #session: CallSession | null = null;
  #requested: HangUpRequest | null = null;

  constructor(voice: VoiceContext, callId: number) {
    this.#voice = voice;
    this.callId = callId;
  }

  state(): string {
    return this.#session?.state() ?? 'opening';
  }

  hangUp(request: HangUpRequest): void {
    this.#requested ??= request;
    this.#session?.hangUp(request);
  }

  async run(): Promise<void> {
    const { core, line, ringLimitMs } = this.#voice;
    const call = await loadCallForVoice(core, this.callId);
    if (!call.trunk || this.#requested) return await this.#giveUp(this.#requested?.reason ?? 'no_line');
    const engines = this.#voice.engines.forCall(call);
    const servers = await openServers(this.#voice, call);
    if (!(await this.#mayDial())) {
      this.#voice.background.start('close MCP sessions', () => servers.close());
      return;
    }
    const leg = line.dial({
      from: call.assistantPhoneNumber,
      to: call.clientPhoneNumber,
      sipCallId: call.sipCallId,
      trunk: trunkAddress(call.trunk),
      ringTimeoutMs: ringLimitMs,
    });
    this.#session = new CallSession({ voice: this.#voice, call, engines, leg, servers });
    this.#session.start();
    if (this.#requested) this.#session.hangUp(this.#requested);
    await this.#session.finished;
  }

  /** Asks until it is this call's turn on its trunk. Once told yes, the INVITE counts as sent, also should it not leave. */
  async #mayDial(): Promise<boolean> {
    const { core, lease } = this.#voice;
    for (;;) {
      const { processId: voiceProcessId, epoch } = lease.fence();
      const verdict = await authorizeDial(core, { callId: this.callId, voiceProcessId, epoch });
      if (verdict.isAllowed) return true;
      if (verdict.reason !== 'wait') {
        const { reason } = verdict;
        core.log.info({ callId: this.callId, reason }, 'The dial was refused at the last moment');
        return false;
      }
      await pause(core.clock, verdict.waitMs);
      if (this.#requested) {
        await this.#giveUp(this.#requested.reason);
        return false;
      }
    }
  }

  /** Something of ours broke before there was a session: the record says so, the lead may be tried again. */
  async fail(error: unknown): Promise<void> {
    const isGone = error instanceof DomainError && error.kind === 'not-found';
    if (isGone) return;
    this.#voice.core.log.error({ err: error, callId: this.callId }, 'A call could not be opened');
    await this.#giveUp('internal_error').catch((cause: unknown) =>
      this.#voice.core.log.error(
        { err: cause, callId: this.callId },
        'A call that failed could not be recorded',
      ),
    );
  }

  async #giveUp(reason: string): Promise<void> {
    const { core, lease } = this.#voice;
    await recordCallEvent(core, {
      callId: this.callId,
      event: 'failed',
      at: new Date(core.clock.now()),
      detail: { reason },
      fence: lease.fence(),
    });
  }
}
