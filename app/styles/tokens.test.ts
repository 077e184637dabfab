import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chartTokens } from '#functions/engine/chart/palette.ts'
import { mapTokens } from '#functions/engine/map/tokens.ts'
import { contrast, surfaces, themeColours } from '#app/theme/colour.ts'

const css = readFileSync('app/styles/tokens.css', 'utf8')
const [lightText = '', darkText = ''] = css.split('@media screen and (prefers-color-scheme: dark)')
const texts = { light: lightText, dark: darkText }

/** The #rrggbb a token stands for in a theme, through one var(). */
function value(theme: 'light' | 'dark', token: string): string {
  const [, tokenValue = ''] =
    new RegExp(`${token}: (#[0-9a-f]{6}|var\\((--[\\w-]+)\\))`).exec(texts[theme]) ?? []
  return tokenValue.startsWith('var(') ? value(theme, tokenValue.slice(4, -1)) : tokenValue
}

describe.each(['light', 'dark'] as const)('the tokens of the %s theme', (theme) => {
  it('have the surfaces that colour.ts computes', () => {
    const names = ['--surface', '--surface-raised', '--surface-sunken']
    expect(names.map((name) => value(theme, name))).toEqual(surfaces[theme])
  })

  it('have the colours of charts', () => {
    const ours = Object.fromEntries(Object.keys(chartTokens[theme]).map((name) => [name, value(theme, name)]))
    expect(ours).toEqual(chartTokens[theme])
  })

  it('have the colours of maps', () => {
    const ours = Object.fromEntries(Object.keys(mapTokens[theme]).map((name) => [name, value(theme, name)]))
    expect(ours).toEqual(mapTokens[theme])
  })

  it.each(['--text', '--text-muted', '--danger', '--success', '--warning', '--info', '--n-10'])(
    'have %s readable on every surface',
    (token) => {
      for (const surface of surfaces[theme]) {
        expect(contrast(value(theme, token), surface)).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it.each(['danger', 'success', 'warning', 'info'])('have text and %s readable on its tint', (kind) => {
    const tint = value(theme, `--${kind}-surface`)
    expect(contrast(value(theme, '--text'), tint)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(value(theme, `--${kind}`), tint)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['--border-strong', '--focus'])('have %s visible on every surface', (token) => {
    for (const surface of surfaces[theme]) {
      expect(contrast(value(theme, token), surface)).toBeGreaterThanOrEqual(3)
    }
  })

  it('have the colours of the default place', () => {
    const derived = themeColours('#ec7945', theme)
    expect({
      primary: value(theme, '--primary'),
      secondary: value(theme, '--secondary'),
      primaryText: value(theme, '--primary-text'),
      primaryUi: value(theme, '--primary-ui'),
      onPrimary: value(theme, '--on-primary'),
      onDecoration: value(theme, '--on-primary-decoration'),
    }).toEqual(derived)
  })
})

it('define the dark theme twice, identically', () => {
  const blocks = [...css.matchAll(/\/\* dark \*\/([\s\S]*?)\/\* end of dark \*\//g)].map((m) =>
    (m[1] ?? '').replace(/\s+/g, ' ').trim(),
  )
  expect(blocks).toHaveLength(2)
  expect(blocks[0]).toBe(blocks[1])
})
