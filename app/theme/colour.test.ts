import { describe, expect, it } from 'vitest'
import {
  asHex,
  contrast,
  layerColour,
  decorationTextOn,
  readableOn,
  toSecondaryColour,
  surfaces,
  themeColours,
  themeCss,
} from './colour.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'

/** A seeded sequence of 0–1 numbers (mulberry32), so that a failing colour can be found again. */
function sequence(seed: number) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Random colours: in a cross-section a tenth of them. */
const colours = isCrossSection ? 1000 : 10_000

describe('the colours of a place', () => {
  it(`meet WCAG AA for ${colours} random colours in both themes`, () => {
    const next = sequence(20261121)
    const below: string[] = []
    for (let i = 0; i < colours; i++) {
      const colour = `#${Math.floor(next() * 0x1000000)
        .toString(16)
        .padStart(6, '0')}`
      for (const theme of ['light', 'dark'] as const) {
        const c = themeColours(colour, theme)
        const fails =
          surfaces[theme].some((s) => contrast(c.primaryText, s) < 4.5 || contrast(c.primaryUi, s) < 3) ||
          contrast(c.onPrimary, c.primaryUi) < 4.5 ||
          contrast(readableOn(colour), colour) < 4.5
        if (fails) below.push(`${colour} ${theme} ${JSON.stringify(c)}`)
      }
    }
    expect(below).toEqual([])
  })

  it.each(['#000000', '#ffffff', '#ffff00', '#0000ff', '#808080', '#fff'])('meet it for %s', (colour) => {
    for (const theme of ['light', 'dark'] as const) {
      const c = themeColours(colour, theme)
      for (const s of surfaces[theme]) expect(contrast(c.primaryText, s)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(c.onPrimary, c.primaryUi)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('leave a colour that already passes unchanged', () => {
    expect(themeColours('#1d4f91', 'light').primaryText).toBe('#1d4f91')
  })

  it('keep the 2.1 rule and the secondary colour for decoration', () => {
    expect(decorationTextOn('#ec7945')).toBe('#ffffff')
    expect(decorationTextOn('#ffe066')).toBe('#26252e')
    expect(toSecondaryColour('#ec7945')).toBe('#d35f2b')
  })

  it('use the default for an invalid colour', () => {
    for (const bad of [undefined, null, 'red', '#12', '#12345g', 'url(x)', '#ffffff;}body{display:none']) {
      expect(asHex(bad)).toBe('#ec7945')
    }
    expect(themeCss('</style><script>')).toBe(themeCss('#ec7945'))
    expect(themeCss('#ec7945')).toMatch(/^[^<>]*$/)
  })

  it('make the map of a place visible on land, for any colour', () => {
    const next = sequence(7)
    for (let i = 0; i < 2000; i++) {
      const colour = `#${Math.floor(next() * 0x1000000)
        .toString(16)
        .padStart(6, '0')}`
      for (const theme of ['light', 'dark'] as const)
        for (const ground of [...surfaces[theme], mapTokens[theme]['--map-land']])
          expect(contrast(layerColour(colour, theme), ground), colour).toBeGreaterThanOrEqual(3)
    }
    expect(layerColour('#1d4f91', 'light')).toBe('#1d4f91')
  })

  it('use a separate colour for the map where one was chosen', () => {
    expect(themeCss('#ec7945', '#1d4f91')).toContain('--map-layer:#1d4f91}')
    expect(themeCss('#1d4f91')).toContain('--map-layer:#1d4f91}')
    expect(themeCss('#1d4f91', '</style>')).toMatch(/^[^<>]*$/)
  })
})
