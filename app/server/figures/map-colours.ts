import { chartTokens, type ChartTheme, type ChartToken } from '#functions/engine/chart/palette.ts'
import type { MapClass } from '#functions/engine/map/classes.ts'
import type { MapColours } from '#functions/engine/map/style.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'

/** Halo colours of labels; the style sheet has no token for them. */
const halos = { light: '#ffffff', dark: '#1b1a20' } as const

/** The colours of a live map in a theme. */
export function mapColours(theme: ChartTheme): MapColours {
  const map = mapTokens[theme]
  return {
    halo: halos[theme],
    water: map['--map-water'],
    land: map['--map-land'],
    line: map['--map-line'],
    label: map['--map-label'],
    data: map['--primary-ui'],
    onData: theme === 'light' ? '#ffffff' : '#1b1a20',
  }
}

/** The classes of regions with resolved colours: a live map cannot read custom properties. */
export function liveClasses(
  classes: readonly MapClass[],
  theme: ChartTheme,
): { from: number; colour: string }[] {
  return classes.map(({ from, fill }) => ({ from, colour: chartTokens[theme][tokenIn(fill)] }))
}

/** The token name in `var(--seq-3)`. */
const tokenIn = (fill: string) => fill.replace(/^var\((.*)\)$/, '$1') as ChartToken
