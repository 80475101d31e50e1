/** Numbers of the test phones by behaviour; each is used once in a run. */

/** The last two digits of each behaviour; see `phone-book.rules.ts` of the phones. */
const ENDINGS = {
  talks: [0, 46],
  busy: [60, 69],
  away: [70, 79],
  declines: [80, 84],
  impatient: [85, 89],
  silent: [98, 98],
} as const;

/** The behaviour of a test phone. */
export type Habit = keyof typeof ENDINGS;

const FIRST_AREA = 200;
const LAST_AREA = 899;

/** Assigns numbers that are unused in this run. */
export class NumberBook {
  readonly #next = new Map<Habit, number>();

  /** @throws RangeError when there are not enough: 700 for each pair of digits of a behaviour */
  take(habit: Habit, count: number): string[] {
    const [first, last] = ENDINGS[habit];
    const width = last - first + 1;
    const from = this.#next.get(habit) ?? 0;
    this.#next.set(habit, from + count);
    return Array.from({ length: count }, (_, index) => {
      const area = FIRST_AREA + Math.floor((from + index) / width);
      if (area > LAST_AREA) throw new RangeError(`There are not so many people who are ${habit}`);
      return `+1${area}55501${String(first + ((from + index) % width)).padStart(2, '0')}`;
    });
  }

  /** Numbers in fixed shares, shuffled by `random`. Few of them answer, because speech needs processor time. */
  crowd(count: number, random: () => number, answeringShare = 0.03): string[] {
    const away = Math.ceil(count * 0.04);
    const impatient = Math.ceil(count * answeringShare);
    const declines = Math.floor(count * 0.3);
    const numbers = [
      ...this.take('away', away),
      ...this.take('impatient', impatient),
      ...this.take('declines', declines),
      ...this.take('busy', count - away - impatient - declines),
    ];
    return shuffled(numbers, random);
  }
}

/** In an order that depends on `random` alone. */
export function shuffled(numbers: readonly string[], random: () => number): string[] {
  return numbers
    .map((number) => ({ number, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ number }) => number);
}
