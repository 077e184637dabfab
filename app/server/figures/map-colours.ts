import { chartTokens, type ChartTheme } from '#app/charts/palette.ts'
import type { MapColours } from '#app/maps/style.ts'

/** The values of the map's tokens, as the style sheet has them: WebGL cannot read custom properties. */
const grounds = {
  light: {
    water: '#e3ebef',
    land: '#eae6df',
    line: '#c0bab2',
    label: '#514e58',
    halo: '#ffffff',
    missing: '#f4f2ee',
  },
  dark: {
    water: '#1a2129',
    land: '#2d2b34',
    line: '#4f4c57',
    label: '#c5c1c3',
    halo: '#1b1a20',
    missing: '#26252e',
  },
} as const

/** The colours of a live map in a theme. */
export function mapColours(theme: ChartTheme): MapColours {
  const tokens = chartTokens[theme]
  const steps = [1, 2, 3, 4, 5, 6, 7] as const
  return {
    ...grounds[theme],
    data: tokens['--cat-1'],
    onData: theme === 'light' ? '#ffffff' : '#1b1a20',
    sequential: steps.map((step) => tokens[`--seq-${step}`]),
  }
}
