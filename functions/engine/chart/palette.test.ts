import { describe, expect, it } from 'vitest'
import { paletteToken, palettes } from '#functions/engine/map/palettes.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'
import { mapPalettes } from '#functions/shapes/analytics.ts'
import { chartTokens, diverging, inkOn, sequential, findColourToken } from './palette.ts'
import type { ChartTheme, ChartToken } from './palette.ts'

type Rgb = [number, number, number]
const linear = (hex: string): Rgb => {
  const parseChannel = (from: number) => {
    const value = parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [parseChannel(1), parseChannel(3), parseChannel(5)]
}
const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (a: string, b: string) => {
  const [low, high] = [luminance(linear(a)), luminance(linear(b))].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
const times = (matrix: Rgb[], [r, g, b]: Rgb): Rgb =>
  matrix.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b))) as Rgb
const oklab = ([r, g, b]: Rgb): Rgb => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}
// Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB
const sight: Record<string, Rgb[]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
  'full sight': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
}
const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

describe.each<ChartTheme>(['light', 'dark'])('the palette in %s mode', (theme) => {
  const tokens = chartTokens[theme]
  const surface = tokens['--chart-surface']
  const cats = (Object.keys(tokens) as ChartToken[]).filter((token) => token.startsWith('--cat-'))

  it('contrasts with the surface by 3 to 1', () => {
    expect(cats).toHaveLength(8)
    for (const token of [...cats, '--chart-axis'] as ChartToken[]) {
      expect(contrast(tokens[token], surface), token).toBeGreaterThanOrEqual(3)
    }
  })

  it('has readable text, by 4.5 to 1', () => {
    for (const token of ['--chart-text', '--chart-muted'] as const) {
      expect(contrast(tokens[token], surface)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(Object.keys(sight))('keeps all eight colours distinguishable for %s', (name) => {
    const perceivedColours = cats.map((token) => oklab(times(sight[name] ?? [], linear(tokens[token]))))
    perceivedColours.forEach((a, at) =>
      perceivedColours.slice(at + 1).forEach((b, next) => {
        expect(distance(a, b), `${cats[at]} and ${cats[at + 1 + next]}`).toBeGreaterThan(0.08)
      }),
    )
  })

  it('has text that is readable on every step of a ramp', () => {
    for (const step of [...sequential, ...diverging]) {
      const [on, under] = [findColourToken(inkOn(step)), findColourToken(step)]
      if (!on || !under) throw new Error('a step that is no token')
      expect(contrast(tokens[on], tokens[under]), under).toBeGreaterThanOrEqual(4.4)
    }
  })

  it.each(mapPalettes)('grows steadily in lightness along the ramp %s, or to both ends of it', (palette) => {
    const ramp = [0, 1, 2, 3, 4, 5, 6].map((at) => tokens[paletteToken(palette, at, 7)])
    const light = ramp.map((step) => oklab(linear(step))[0])
    const isDiverging = palettes[palette].kind === 'diverging'
    light.slice(1).forEach((value, at) => {
      const towards = isDiverging && at < 3 ? -1 : 1
      const step = (value - (light[at] ?? 0)) * (theme === 'light' ? -1 : 1) * towards
      expect(step, `${palette} from ${at + 1}`).toBeGreaterThan(0.04)
    })
  })

  it.each(['--map-water', '--map-land'] as const)('keeps every class apart from %s', (ground) => {
    for (const palette of mapPalettes) {
      if (palettes[palette].kind === 'diverging') continue
      for (const at of [0, 1, 2, 3, 4, 5, 6]) {
        const token = paletteToken(palette, at, 7)
        const apart = distance(oklab(linear(tokens[token])), oklab(linear(mapTokens[theme][ground])))
        expect(apart, token).toBeGreaterThan(0.055)
      }
    }
  })

  it.each(Object.keys(sight))('keeps the classes of every palette distinguishable for %s', (name) => {
    for (const palette of mapPalettes)
      for (const count of [3, 4, 5, 6, 7]) {
        const names = Array.from({ length: count }, (_none, at) => paletteToken(palette, at, count))
        const perceivedColours = names.map((token) => oklab(times(sight[name] ?? [], linear(tokens[token]))))
        perceivedColours.forEach((a, at) =>
          perceivedColours.slice(at + 1).forEach((b, next) => {
            const pair = `${names[at]} and ${names[at + 1 + next]} of ${count}`
            expect(distance(a, b), pair).toBeGreaterThan(0.045)
          }),
        )
      }
  })
})

it('has a different colour for every token, so that colours can be mapped to tokens', () => {
  const values = Object.values(chartTokens.light)
  expect(new Set(values).size).toBe(values.length)
  expect(findColourToken('#123456')).toBeUndefined()
})
