/**
 * Waits for events of a leg without sleeping.
 */
import type { CallLeg, LegEnd, LegEvent } from '../src/call-leg.ts';

/** The events of a leg so far, and promises for later ones. */
export class LegEvents {
  readonly all: LegEvent[] = [];
  readonly #waiting: { type: LegEvent['type']; resolve: (event: LegEvent) => void }[] = [];

  constructor(leg: CallLeg) {
    leg.onEvent((event) => {
      this.all.push(event);
      for (const waiter of this.#waiting.filter(({ type }) => type === event.type)) waiter.resolve(event);
    });
  }

  /** The first event of a type, past or future. */
  async next<Type extends LegEvent['type']>(type: Type): Promise<Extract<LegEvent, { type: Type }>> {
    const past = this.all.find((event) => event.type === type);
    const event = past ?? (await new Promise<LegEvent>((resolve) => this.#waiting.push({ type, resolve })));
    return event as Extract<LegEvent, { type: Type }>;
  }

  async end(): Promise<LegEnd> {
    return (await this.next('ended')).end;
  }

  types(): string[] {
    return this.all.map((event) => event.type);
  }
}
