/** The only file that uses uPlot. It is loaded with the first chart and draws it on a canvas. */
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { type ChartData, highestValue, labelStep, shortDay, stackedTops } from './chart-data.rules.ts';

/** What a chart needs besides its data. */
export interface ChartOptions {
  /** CSS pixels. */
  height: number;
  /** The text of a value at the axis. */
  format: (value: number) => string;
  /** The day under the pointer; null when the pointer has left. */
  onPoint: (day: number | null) => void;
  /** A click at a day. */
  onPick: (day: number) => void;
}

/** A chart on the page. */
export interface DrawnChart {
  /** Marks a day, or none. */
  point: (day: number | null) => void;
  remove: () => void;
}

const HEADROOM = 1.08;
const AXIS_PIXELS = 56;
const DAYS_PIXELS = 24;
/** Above and to the right of what is drawn: half of the highest and of the last label. */
const PADDING: uPlot.Padding = [8, 20, 0, 0];
const LABEL_FONT = 11;
const BAR_SHARE = 0.72;
const WIDEST_BAR = 56;
const PALE = '26';
/** More of them would hide the line. */
const MOST_POINTS = 45;

const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axesOf({ days, label = shortDay }: ChartData, format: ChartOptions['format']): uPlot.Axis[] {
  const look = {
    stroke: token('--mantine-color-dimmed'),
    font: `${LABEL_FONT}px ${token('--mantine-font-family-monospace')}`,
  };
  return [
    {
      ...look,
      size: DAYS_PIXELS,
      grid: { show: false },
      ticks: { show: false },
      // From the last day back, which is the one that everybody looks for.
      splits: (chart) => {
        const step = labelStep(days.length, chart.width - AXIS_PIXELS);
        return days.map((_, index) => index).filter((index) => (days.length - 1 - index) % step === 0);
      },
      values: (_, splits) => splits.map((index) => label(days[index] ?? '')),
    },
    {
      ...look,
      size: AXIS_PIXELS,
      grid: { stroke: token('--parley-line'), width: 1 },
      ticks: { show: false },
      values: (_, splits) => splits.map((value) => format(value)),
    },
  ];
}

function seriesOf({ series, kind }: ChartData): uPlot.Series[] {
  const isSingle = series.filter(({ isExpectation }) => !isExpectation).length === 1;
  const drawn = series.map(({ colour, isExpectation, values }): uPlot.Series => {
    const stroke = token(colour);
    if (isExpectation) return { stroke, width: 1.5, dash: [6, 5], points: { show: false } };
    if (kind === 'bars')
      return {
        fill: stroke,
        stroke,
        width: 0,
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [BAR_SHARE, WIDEST_BAR] }) }),
        points: { show: false },
      };
    return {
      stroke,
      width: 2,
      spanGaps: true,
      points: { show: values.length <= MOST_POINTS, size: 5, fill: stroke },
      ...(isSingle && { fill: `${stroke}${PALE}` }),
    };
  });
  return kind === 'bars' ? drawn.toReversed() : drawn;
}

/** The values in the order of drawing: the highest bars come first, so that the lower ones are drawn over them. */
function valuesOf({ days, series, kind }: ChartData): uPlot.AlignedData {
  const places = days.map((_, index) => index);
  if (kind === 'bars') return [places, ...stackedTops(series).toReversed()];
  return [places, ...series.map(({ values }) => [...values])];
}

function optionsOf(data: ChartData, options: ChartOptions, width: number): uPlot.Options {
  const highest = highestValue(data);
  return {
    width,
    height: options.height,
    padding: PADDING,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.5, data.days.length - 0.5] },
      y: { range: [0, highest === 0 ? 1 : highest * HEADROOM] },
    },
    axes: axesOf(data, options.format),
    series: [{}, ...seriesOf(data)],
    hooks: { setCursor: [(chart) => options.onPoint(chart.cursor.idx ?? null)] },
  };
}

/**
 * Draws a chart as wide as its parent, whose width it follows.
 *
 * @param parent - gets the chart as its only child
 */
export function drawChart(parent: HTMLElement, data: ChartData, options: ChartOptions): DrawnChart {
  parent.replaceChildren();
  const chart = new uPlot(optionsOf(data, options, parent.clientWidth), valuesOf(data), parent);
  const onClick = (): void => {
    if (chart.cursor.idx != null) options.onPick(chart.cursor.idx);
  };
  chart.over.addEventListener('click', onClick);
  const size = new ResizeObserver(() => {
    if (parent.clientWidth !== chart.width)
      chart.setSize({ width: parent.clientWidth, height: options.height });
  });
  size.observe(parent);
  return {
    point: (day) =>
      chart.setCursor(
        day === null ? { left: -10, top: -10 } : { left: chart.valToPos(day, 'x'), top: options.height / 2 },
      ),
    remove: () => {
      size.disconnect();
      chart.destroy();
    },
  };
}
