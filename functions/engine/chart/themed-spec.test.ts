import { expect, it } from 'vitest'
import { compileChart } from './compiled.ts'
import { chartTokens, tokenColour } from './palette.ts'
import { samples } from './samples.testing.ts'
import { chartSpec } from './spec.ts'
import { themedSpec } from './themed-spec.ts'

it('replaces every colour of a compiled chart by that of the theme', async () => {
  for (const sample of Object.values(samples)) {
    const spec = chartSpec(sample)
    if (!spec) throw new Error(sample.title)
    const compiled = await compileChart(spec)
    const dark = JSON.stringify(themedSpec(compiled, 'dark'))
    for (const [token, hex] of Object.entries(chartTokens.light)) expect(dark, token).not.toContain(hex)
    expect(themedSpec(compiled, 'light')).toEqual(compiled)
  }
})

it('does not touch texts', () => {
  const color = tokenColour('--cat-1')
  const spec = {
    values: [{ s: color, tip: color, text: color, fill: color }],
    domain: [color],
    range: [color],
  }
  const dark = chartTokens.dark['--cat-1']
  expect(themedSpec(spec, 'dark')).toEqual({
    values: [{ s: color, tip: color, text: color, fill: dark }],
    domain: [color],
    range: [dark],
  })
})
