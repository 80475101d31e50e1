/** Numbers of the phone book by what their people do; each is given out once in a run. */

/** Two last digits of those who behave alike; see `phone-book.rules.ts` of the phones. */
const ENDINGS = {
  busy: [60, 69],
  away: [70, 79],
  declines: [80, 84],
  impatient: [85, 89],
  silent: [98, 98],
} as const;

/** What people of a number do. */
export type Habit = keyof typeof ENDINGS;

const FIRST_AREA = 200;
const LAST_AREA = 899;

/** Gives out numbers nobody else of this run has. */
export class NumberBook {
  readonly #next = new Map<Habit, number>();

  /** @throws RangeError when there are not so many: 700 for each last digit of a habit */
  take(habit: Habit, count: number): string[] {
    const [first, last] = ENDINGS[habit];
    const width = last - first + 1;
    const from = this.#next.get(habit) ?? 0;
    this.#next.set(habit, from + count);
    return Array.from({ length: count }, (_, index) => {
      const area = FIRST_AREA + Math.floor((from + index) / width);
      if (area > LAST_AREA) throw new RangeError(`There are not so many people who are ${habit}`);
      return `+1${area}55501${first + ((from + index) % width)}`;
    });
  }

  /** Numbers in given shares, mixed by `random`. Dials mostly, since speech costs processor time. */
  crowd(count: number, random: () => number): string[] {
    const away = Math.ceil(count * 0.04);
    const impatient = Math.ceil(count * 0.03);
    const declines = Math.floor(count * 0.3);
    const numbers = [
      ...this.take('away', away),
      ...this.take('impatient', impatient),
      ...this.take('declines', declines),
      ...this.take('busy', count - away - impatient - declines),
    ];
    return numbers
      .map((number) => ({ number, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ number }) => number);
  }
}
