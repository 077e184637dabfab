import { chartTokens, type ChartTheme } from '#functions/engine/chart/palette.ts'
import type { MapColours } from '#functions/engine/map/style.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'

/** Behind letters, which no token of the style sheet is for. */
const halos = { light: '#ffffff', dark: '#1b1a20' } as const

/** The colours of a live map in a theme. */
export function mapColours(theme: ChartTheme): MapColours {
  const tokens = chartTokens[theme]
  const map = mapTokens[theme]
  const steps = [1, 2, 3, 4, 5, 6, 7] as const
  return {
    halo: halos[theme],
    water: map['--map-water'],
    land: map['--map-land'],
    line: map['--map-line'],
    label: map['--map-label'],
    data: map['--primary-ui'],
    onData: theme === 'light' ? '#ffffff' : '#1b1a20',
    sequential: steps.map((step) => tokens[`--seq-${step}`]),
  }
}
