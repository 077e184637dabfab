import type { ChartToken } from '#functions/engine/chart/palette.ts'
import type { MapPalette } from '#functions/shapes/analytics.ts'

interface Palette {
  /** `diverging`: both ends are strong, and the middle is neutral. */
  kind: 'sequential' | 'diverging'
  /** Its seven steps are `--{prefix}-1`, least first, to `--{prefix}-7`. */
  prefix: 'seq' | 'seq-orange' | 'seq-green' | 'div' | 'div-purple'
}

/** The palettes for regions: distinguishable with every kind of colour vision, in both themes. */
export const palettes: Record<MapPalette, Palette> = {
  blue: { kind: 'sequential', prefix: 'seq' },
  orange: { kind: 'sequential', prefix: 'seq-orange' },
  green: { kind: 'sequential', prefix: 'seq-green' },
  'blue-orange': { kind: 'diverging', prefix: 'div' },
  'purple-green': { kind: 'diverging', prefix: 'div-purple' },
}

/** Steps of a ramp. */
const rampSteps = 7

/** The steps of diverging ramps by the number of classes: symmetric around the neutral one, which odd numbers have. */
const divergingSteps = [
  [4],
  [2, 6],
  [1, 4, 7],
  [1, 3, 5, 7],
  [1, 3, 4, 5, 7],
  [1, 2, 3, 5, 6, 7],
  [1, 2, 3, 4, 5, 6, 7],
]

/**
 * The token of a class's colour, the `index`th of `count` (up to seven), ascending: fewer classes are spread over the
 * whole ramp.
 */
export function paletteToken(palette: MapPalette, index: number, count: number): ChartToken {
  const { kind, prefix } = palettes[palette]
  const step =
    kind === 'diverging' ? (divergingSteps[count - 1]?.[index] ?? rampSteps) : rampStep(index, count)
  return `--${prefix}-${step}` as ChartToken
}

function rampStep(index: number, count: number): number {
  return count < 2 ? 4 : Math.round(1 + (index * (rampSteps - 1)) / (count - 1))
}
