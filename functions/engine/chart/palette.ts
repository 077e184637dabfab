/** The names of the colours a chart may use: each is a CSS custom property with a value a theme. */
export type ChartToken =
  | `--cat-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | `--seq-${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  | `--seq-${'orange' | 'green'}-${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  | `--div-${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  | `--div-purple-${1 | 2 | 3 | 4 | 5 | 6 | 7}`
  | `--chart-${'text' | 'muted' | 'grid' | 'axis' | 'surface'}`

export type ChartTheme = 'light' | 'dark'

/**
 * The hex value of every chart colour in each theme; the style sheet is generated from this table. Specs use the light
 * values, which are therefore all distinct: they identify their token until an SVG uses the custom property or an
 * interactive chart the value of its theme.
 */
export const chartTokens: Record<ChartTheme, Record<ChartToken, string>> = {
  light: {
    '--cat-1': '#2f75e2',
    '--cat-2': '#e06c29',
    '--cat-3': '#0d715c',
    '--cat-4': '#b5499e',
    '--cat-5': '#865c09',
    '--cat-6': '#571a8f',
    '--cat-7': '#133d53',
    '--cat-8': '#701f0d',
    '--seq-1': '#def2fc',
    '--seq-2': '#b6e0f8',
    '--seq-3': '#86c7ed',
    '--seq-4': '#53a7df',
    '--seq-5': '#2779bc',
    '--seq-6': '#1d569a',
    '--seq-7': '#1c386e',
    '--seq-orange-1': '#feecc9',
    '--seq-orange-2': '#fbd295',
    '--seq-orange-3': '#f1ae5e',
    '--seq-orange-4': '#df8524',
    '--seq-orange-5': '#b25903',
    '--seq-orange-6': '#8d3900',
    '--seq-orange-7': '#64230d',
    '--seq-green-1': '#e6f5d1',
    '--seq-green-2': '#c7e4ad',
    '--seq-green-3': '#9dce86',
    '--seq-green-4': '#6db264',
    '--seq-green-5': '#3d8749',
    '--seq-green-6': '#1f663a',
    '--seq-green-7': '#0c462b',
    '--div-1': '#045797',
    '--div-2': '#287bba',
    '--div-3': '#a1cae8',
    '--div-4': '#f2f0ec',
    '--div-5': '#f1c4a0',
    '--div-6': '#ba5927',
    '--div-7': '#8b381d',
    '--div-purple-1': '#703396',
    '--div-purple-2': '#9255bb',
    '--div-purple-3': '#d4b6eb',
    '--div-purple-4': '#f1f0ed',
    '--div-purple-5': '#a4dfaf',
    '--div-purple-6': '#328e4d',
    '--div-purple-7': '#196632',
    '--chart-text': '#26252e',
    '--chart-muted': '#62606b',
    '--chart-grid': '#e7e4e0',
    '--chart-axis': '#85828d',
    '--chart-surface': '#ffffff',
  },
  dark: {
    '--cat-1': '#568fe9',
    '--cat-2': '#e69b46',
    '--cat-3': '#3acca7',
    '--cat-4': '#ce609e',
    '--cat-5': '#f4df6b',
    '--cat-6': '#8352c1',
    '--cat-7': '#a7e1fb',
    '--cat-8': '#b74927',
    '--seq-1': '#1f2a3e',
    '--seq-2': '#243b63',
    '--seq-3': '#265088',
    '--seq-4': '#2869ac',
    '--seq-5': '#3e93d2',
    '--seq-6': '#74bce7',
    '--seq-7': '#bae2f6',
    '--seq-orange-1': '#3b231b',
    '--seq-orange-2': '#5d2c13',
    '--seq-orange-3': '#793e0e',
    '--seq-orange-4': '#965402',
    '--seq-orange-5': '#c17a05',
    '--seq-orange-6': '#e0a747',
    '--seq-orange-7': '#f3d89e',
    '--seq-green-1': '#1a2f23',
    '--seq-green-2': '#21452c',
    '--seq-green-3': '#2f5c35',
    '--seq-green-4': '#44753e',
    '--seq-green-5': '#6a9c50',
    '--seq-green-6': '#98c26f',
    '--seq-green-7': '#cde6a4',
    '--div-1': '#87c6f2',
    '--div-2': '#4492d4',
    '--div-3': '#325d8c',
    '--div-4': '#353538',
    '--div-5': '#814b2e',
    '--div-6': '#d3773e',
    '--div-7': '#f5ba81',
    '--div-purple-1': '#d5a8f8',
    '--div-purple-2': '#ac6ad8',
    '--div-purple-3': '#6f458c',
    '--div-purple-4': '#363538',
    '--div-purple-5': '#31693f',
    '--div-purple-6': '#3eab5f',
    '--div-purple-7': '#8cde9e',
    '--chart-text': '#ecebef',
    '--chart-muted': '#a9a6b2',
    '--chart-grid': '#36343d',
    '--chart-axis': '#807d8b',
    '--chart-surface': '#1b1a20',
  },
}

/** The colour of a token in a spec. */
export const ink = (token: ChartToken): string => chartTokens.light[token]

/** The colours for up to 8 categories, in the order they are handed out. */
export const categorical = ([1, 2, 3, 4, 5, 6, 7, 8] as const).map((n) => ink(`--cat-${n}`))

/** The 7 steps from little to much. */
export const sequential = ([1, 2, 3, 4, 5, 6, 7] as const).map((n) => ink(`--seq-${n}`))

/** The 7 steps from far below to far above; the fourth is neutral. */
export const diverging = ([1, 2, 3, 4, 5, 6, 7] as const).map((n) => ink(`--div-${n}`))

const tokenOfInk = new Map(
  Object.entries(chartTokens.light).map(([token, hex]) => [hex, token as ChartToken]),
)

/** The token of a colour in a spec; undefined for other text. */
export const tokenOf = (color: string): ChartToken | undefined => tokenOfInk.get(color.toLowerCase())

/**
 * The text colour that is readable on a step of a ramp in both themes: the surface's own colour on the strong
 * steps (they are dark in the light theme and light in the dark one), the text's on the others.
 */
export function inkOn(step: string): string {
  const strong: (ChartToken | undefined)[] = [
    '--seq-5',
    '--seq-6',
    '--seq-7',
    '--div-1',
    '--div-2',
    '--div-6',
    '--div-7',
  ]
  return ink(strong.includes(tokenOf(step)) ? '--chart-surface' : '--chart-text')
}
