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
    '--seq-1': '#b7e6fe',
    '--seq-2': '#99d4f4',
    '--seq-3': '#70bdea',
    '--seq-4': '#4ba2dd',
    '--seq-5': '#2779bc',
    '--seq-6': '#1d569a',
    '--seq-7': '#1c386e',
    '--seq-orange-1': '#fadba3',
    '--seq-orange-2': '#f4c176',
    '--seq-orange-3': '#eda042',
    '--seq-orange-4': '#db8021',
    '--seq-orange-5': '#b25903',
    '--seq-orange-6': '#8d3900',
    '--seq-orange-7': '#64230d',
    '--seq-green-1': '#d3e9b3',
    '--seq-green-2': '#b4d893',
    '--seq-green-3': '#8cc574',
    '--seq-green-4': '#63af60',
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
    '--seq-1': '#233c69',
    '--seq-2': '#284b81',
    '--seq-3': '#2a5b98',
    '--seq-4': '#256daf',
    '--seq-5': '#3b94d2',
    '--seq-6': '#74bce7',
    '--seq-7': '#bae2f6',
    '--seq-orange-1': '#5f2c1a',
    '--seq-orange-2': '#723a1c',
    '--seq-orange-3': '#854918',
    '--seq-orange-4': '#995807',
    '--seq-orange-5': '#c07b03',
    '--seq-orange-6': '#dfa746',
    '--seq-orange-7': '#f3d89e',
    '--seq-green-1': '#1e4731',
    '--seq-green-2': '#285737',
    '--seq-green-3': '#36683d',
    '--seq-green-4': '#477842',
    '--seq-green-5': '#6a9c51',
    '--seq-green-6': '#97c26f',
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
export const tokenColour = (token: ChartToken): string => chartTokens.light[token]

/** The colours for up to 8 categories, in the order they are handed out. */
export const categorical = ([1, 2, 3, 4, 5, 6, 7, 8] as const).map((n) => tokenColour(`--cat-${n}`))

/** The 7 steps from little to much. */
export const sequential = ([1, 2, 3, 4, 5, 6, 7] as const).map((n) => tokenColour(`--seq-${n}`))

/** The 7 steps from far below to far above; the fourth is neutral. */
export const diverging = ([1, 2, 3, 4, 5, 6, 7] as const).map((n) => tokenColour(`--div-${n}`))

const tokenOfInk = new Map(
  Object.entries(chartTokens.light).map(([token, hex]) => [hex, token as ChartToken]),
)

/** The token of a colour in a spec; undefined for other text. */
export const findColourToken = (color: string): ChartToken | undefined => tokenOfInk.get(color.toLowerCase())

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
  return tokenColour(strong.includes(findColourToken(step)) ? '--chart-surface' : '--chart-text')
}
