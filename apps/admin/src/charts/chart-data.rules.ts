/** The figures of a chart as lines or stacked bars over days. */

/** One line, or one part of each bar. */
export interface ChartSeries {
  name: string;
  /** The name of a design token. */
  colour: string;
  /** One for each day; null where there is none. */
  values: readonly (number | null)[];
  /** A dashed line without points: what others are compared with. */
  isExpectation?: boolean;
}

/** What a chart shows. */
export interface ChartData {
  /** `YYYY-MM-DD`, oldest first, or what {@link ChartData.label} reads. */
  days: readonly string[];
  /** The text of a place at the axis; left out: {@link shortDay}. */
  label?: (day: string) => string;
  series: readonly ChartSeries[];
  kind: 'bars' | 'lines';
}

/** The tops of the parts of each bar, from the lowest part up. */
export function stackedTops(series: readonly ChartSeries[]): number[][] {
  const tops: number[][] = [];
  for (const { values } of series) {
    const below = tops.at(-1);
    tops.push(values.map((value, day) => (value ?? 0) + (below?.[day] ?? 0)));
  }
  return tops;
}

/** The highest value that is drawn; 0 without values. */
export function highestValue({ series, kind }: ChartData): number {
  const values = kind === 'bars' ? (stackedTops(series).at(-1) ?? []) : series.flatMap((one) => one.values);
  return values.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0);
}

/** `Nov 24`, whatever the time zone of the browser. */
export function shortDay(day: string): string {
  return new Date(day).toLocaleDateString([], { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** Every which day has a label, so that labels of some 48 pixels do not touch. */
export function labelStep(days: number, widthPixels: number): number {
  const room = Math.max(1, Math.floor(widthPixels / 64));
  return Math.max(1, Math.ceil(days / room));
}
