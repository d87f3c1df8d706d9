// A plot of several panels as SVG, readable in light and in dark mode.

/** One line of a panel. */
export interface Series {
  readonly name: string;
  /** One value for each size. */
  readonly values: readonly number[];
}

/** A panel: lines that share a unit. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** At most three. */
  readonly series: readonly Series[];
}

const [PANEL_WIDTH, PANEL_HEIGHT] = [420, 230];
const COLUMNS = 2;
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 36, 46, 44];
const TICKS = 4;

const STYLE = `
    text { fill: #1f2328 }
    .note { fill: #59636e }
    .grid { stroke: #d1d9e0 }
    .line { fill: none; stroke-width: 2 }
    .s0 { stroke: #0969da } .s1 { stroke: #bc4c00 } .s2 { stroke: #1a7f37 }
    .d0 { fill: #0969da } .d1 { fill: #bc4c00 } .d2 { fill: #1a7f37 }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .note { fill: #9198a1 }
      .grid { stroke: #3d444d }
      .s0 { stroke: #4493f8 } .s1 { stroke: #f0883e } .s2 { stroke: #3fb950 }
      .d0 { fill: #4493f8 } .d1 { fill: #f0883e } .d2 { fill: #3fb950 }
    }`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const toNumber = (value: number): string => Number(value.toFixed(2)).toLocaleString('en-US');

/** The smallest of 1, 2, 5, 10, 20, 50 ... that `TICKS` of them reach the value. */
export const toTickStep = (most: number): number => {
  const least = most / TICKS;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9))!;
};

interface Scale {
  x(size: number): number;
  y(value: number): number;
}

const createScale = (sizes: readonly number[], most: number): Scale => {
  const [first, last] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)];
  const span = last - first || 1;
  return {
    x: (size) => LEFT + ((Math.log10(size) - first) / span) * (PANEL_WIDTH - LEFT - RIGHT),
    y: (value) => PANEL_HEIGHT - BOTTOM - (value / most) * (PANEL_HEIGHT - TOP - BOTTOM),
  };
};

const drawAxes = (sizes: readonly number[], step: number, { x, y }: Scale): string[] => [
  ...Array.from({ length: TICKS + 1 }, (_, tick) => tick * step).flatMap((value) => [
    `<path class="grid" d="M${LEFT} ${y(value).toFixed(1)}H${PANEL_WIDTH - RIGHT}"/>`,
    `<text class="note" x="${LEFT - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${toNumber(value)}</text>`,
  ]),
  ...sizes.map(
    (size) =>
      `<text class="note" x="${x(size).toFixed(1)}" y="${PANEL_HEIGHT - BOTTOM + 18}">${size.toLocaleString('en-US')}</text>`,
  ),
  `<text class="note" x="${(LEFT + PANEL_WIDTH - RIGHT) / 2}" y="${PANEL_HEIGHT - 8}">events in the ledger</text>`,
];

const drawSeries = (sizes: readonly number[], { values }: Series, at: number, { x, y }: Scale): string[] => {
  const points = sizes.map((size, index) => `${x(size).toFixed(1)} ${y(values[index]!).toFixed(1)}`);
  return [
    `<path class="line s${at}" d="M${points.join('L')}"/>`,
    ...points.map((point) => {
      const [cx, cy] = point.split(' ');
      return `<circle class="d${at}" cx="${cx}" cy="${cy}" r="3.5"/>`;
    }),
  ];
};

// The names of several lines, each after a dot in its colour.
const drawLegend = (series: readonly Series[]): string[] =>
  series.length < 2
    ? []
    : series.flatMap(({ name }, at) => [
        `<circle class="d${at}" cx="${LEFT + at * 110 + 4}" cy="34" r="4"/>`,
        `<text class="note" x="${LEFT + at * 110 + 13}" y="38" text-anchor="start">${escapeText(name)}</text>`,
      ]);

const drawPanel = ({ title, unit, series }: Panel, at: number, sizes: readonly number[]): string => {
  const step = toTickStep(Math.max(...series.flatMap(({ values }) => values), Number.EPSILON));
  const scale = createScale(sizes, step * TICKS);
  const place = `${(at % COLUMNS) * PANEL_WIDTH} ${Math.floor(at / COLUMNS) * PANEL_HEIGHT}`;
  return [
    `  <g transform="translate(${place})">`,
    `<text x="${LEFT}" y="18" text-anchor="start" font-weight="600">${escapeText(`${title}, ${unit}`)}</text>`,
    ...drawLegend(series),
    ...drawAxes(sizes, step, scale),
    ...series.flatMap((one, index) => drawSeries(sizes, one, index, scale)),
    '</g>',
  ].join('\n    ');
};

/**
 * Draws the panels side by side over the same sizes, which are on a logarithmic scale. Values are 0 or more, and every
 * axis of values begins at 0. `sizes`: ascending, not empty.
 */
export const drawPlot = (title: string, sizes: readonly number[], panels: readonly Panel[]): string => {
  const [width, height] = [COLUMNS * PANEL_WIDTH, Math.ceil(panels.length / COLUMNS) * PANEL_HEIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"
  aria-labelledby="title" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12"
  text-anchor="middle">
  <title id="title">${escapeText(title)}</title>
  <style>${STYLE}
  </style>
${panels.map((panel, at) => drawPanel(panel, at, sizes)).join('\n')}
</svg>
`;
};
