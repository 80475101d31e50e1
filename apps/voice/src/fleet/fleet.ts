/**
 * Several voice processes on one machine (`VOICE_PROCESSES`), each with its own lease, ports and calls, so that a crash
 * affects only the calls of one process. Inbound calls are distributed by a SIP front, outbound calls by core. The fleet
 * itself handles neither media nor the database.
 */
import { SupervisedProcess, systemClock, type ChildEvents, type Log, type Service } from '@parley/runtime';
import { createSipFront, type SipFront } from '@parley/telephony';
import { givenEnvironment, tlsOptions, type VoiceSettings } from '../settings.ts';
import { readReport, readResumed, readStranger, readTrusted } from './child-report.ts';
import { lostProcessMessage } from './fleet-message.ts';
import { EndpointSchedule } from './endpoint-schedule.ts';
import { planChildren } from './plan-children.rules.ts';

/** Time for a stop after the drain, milliseconds. */
const STOP_MARGIN_MS = 15_000;

/** A fleet, not yet started. `script` is the program of a voice process. */
export function createFleet(settings: VoiceSettings, log: Log, script: string): Service {
  return new VoiceFleet(settings, log, script);
}

class VoiceFleet implements Service {
  readonly #settings: VoiceSettings;
  readonly #log: Log;
  readonly #script: string;
  readonly #front: SipFront;
  readonly #schedule = new EndpointSchedule();
  #children: SupervisedProcess[] = [];

  constructor(settings: VoiceSettings, log: Log, script: string) {
    this.#settings = settings;
    this.#log = log;
    this.#script = script;
    this.#front = createSipFront({
      clock: systemClock,
      log,
      listen: settings.SIP_LISTEN,
      tls: tlsOptions(settings),
      ...(settings.SIP_PUBLIC_ADDRESS ? { publicHost: settings.SIP_PUBLIC_ADDRESS } : {}),
      endpoints: this.#schedule,
    });
  }

  async start(): Promise<void> {
    await this.#front.start();
    const environments = planChildren(this.#settings, {
      ...this.#front.address(),
      tlsPort: this.#front.tlsPort(),
    });
    this.#children = environments.map(
      (environment, index) =>
        new SupervisedProcess(
          {
            name: `voice ${index + 1}`,
            script: this.#script,
            environment: { ...givenEnvironment(), ...environment },
            stopLimitMs: this.#settings.DRAIN_LIMIT * 1000 + STOP_MARGIN_MS,
          },
          this.#events(),
          systemClock,
        ),
    );
    for (const child of this.#children) child.start();
    this.#log.info(
      { processes: this.#children.length, sip: this.#front.address() },
      'The voice fleet is started',
    );
  }

  /** Stops the front last: ringing calls may still be cancelled or answered through it. */
  async stop(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.stop()));
    await this.#front.stop();
  }

  hurry(): void {
    for (const child of this.#children) child.hurry();
  }

  #events(): ChildEvents {
    return {
      // The output of the children already consists of log entries.
      onLine: (_name, line) => {
        process.stdout.write(`${line}\n`);
      },
      onStarted: (name) => this.#log.info({ process: name }, 'A voice process was started'),
      onEnded: (name, how, pauseMs) => {
        this.#passCallsOn(name);
        this.#log.error(
          { process: name, how, pauseMs },
          'A voice process ended by itself and is started again',
        );
      },
      onInvalidSettings: (name) => this.#log.error({ process: name }, 'A voice process has wrong settings'),
      onMessage: (name, message) => this.#takeReport(name, message),
    };
  }

  /** The other processes go on with the calls of the one that has ended, each with as many as it has free slots. */
  #passCallsOn(name: string): void {
    const processId = this.#schedule.remove(name);
    if (processId === null) return;
    const message = lostProcessMessage({ processId, endedAt: new Date(systemClock.now()) });
    for (const child of this.#children) if (child.name !== name) child.send(message);
  }

  #takeReport(name: string, message: unknown): void {
    const report = readReport(message);
    const stranger = readStranger(message);
    if (stranger !== null) this.#front.countStranger(stranger);
    const trusted = readTrusted(message);
    if (trusted !== null) this.#front.trust(trusted);
    const resumedTag = readResumed(message);
    const port = this.#schedule.portOf(name);
    if (resumedTag !== null && port !== null) this.#front.moveDialog(resumedTag, port);
    if (report) this.#schedule.report(name, report, this.#front.address().host);
  }
}
