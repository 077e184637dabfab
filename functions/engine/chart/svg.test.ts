import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { chartWidths } from './frame.ts'
import { samples } from './samples.testing.ts'
import { chartSpec } from './spec.ts'
import { chartSvg } from './svg.ts'
import type { ChartInput } from './frame.ts'

const names = Object.keys(samples) as (keyof typeof samples)[]
const draw = (input: ChartInput, title = input.title) => {
  const spec = chartSpec(input)
  if (!spec) throw new Error('nothing to draw')
  return chartSvg(spec, { id: 'chart-1', title, description: 'What it shows.' })
}

describe.each(names)('the drawing of %s', (name) => {
  it.each(Object.values(chartWidths))('is suitable for a page, %d wide', async (width) => {
    const svg = await draw({ ...samples[name], width })
    expect(svg).not.toMatch(/ style=|<script|<style|font-family|NaN|undefined|Infinity/)
    expect(svg).not.toMatch(/#[0-9a-f]{6}/i)
    expect(svg).toMatch(name === 'heatmap' ? /var\(--seq-\d\)/ : /var\(--cat-1\)/)
    expect(svg).toContain('var(--chart-text)')
    expect(svg).toContain('role="img" aria-labelledby="chart-1-title chart-1-description"')
    expect(svg).toContain(`<title id="chart-1-title">${samples[name].title}</title>`)
    expect(svg).toContain('<desc id="chart-1-description">What it shows.</desc>')
    expect(svg).toMatch(new RegExp(`^<svg [^>]*viewBox="0 0 ${width} \\d+" width="100%"`))
    expect(svg).not.toMatch(/^<svg [^>]* height=/)
    expect(svg).not.toMatch(/\d\.\d{3}/)
    expect(svg.match(/<(\w+)/g)?.length).toBe((svg.match(/<\/\w+|\/>/g) ?? []).length)
  })
})

it('leaves out what only a live chart needs', async () => {
  expect(await draw(samples.line)).not.toMatch(/hover|voronoi|tooltip|February 2012:/)
})

it('escapes texts and does not replace colours in them', async () => {
  const rows = [
    { kind: '<script>alert(1)</script>', n: 2 },
    { kind: '#2f75e2', n: 1 },
  ]
  const svg = await draw({ ...samples.columns, rows }, '"><script>alert(2)</script>')
  expect(svg).not.toContain('<script')
  expect(svg).toContain('>#2f75e2<')
})

it('stays small with many points', async () => {
  const rows = Array.from({ length: 1000 }, (_, at) => ({
    country: '',
    region: 'Europe',
    income: (at * 7919) % 1000,
    health: (at * 104_729) % 997,
    people: 1,
  }))
  const svg = await draw({ ...samples.scatter, rows })
  expect(svg.match(/<circle/g)?.length).toBe(1000)
  expect(svg.length).toBeLessThan(60_000)
})

it('draws where eval is forbidden', async () => {
  const script = `
    import { samples } from '#functions/engine/chart/samples.testing.ts'
    import { chartSpec } from '#functions/engine/chart/spec.ts'
    import { chartSvg } from '#functions/engine/chart/svg.ts'
    for (const sample of Object.values(samples)) {
      const svg = await chartSvg(chartSpec(sample), { id: 'a', title: 'a', description: 'a' })
      if (!svg.includes('var(--')) throw new Error(sample.title)
    }
    let refused = false
    try { new Function('return 1') } catch { refused = true }
    console.log(refused ? 'drawn' : 'code was allowed')
  `
  const flags = [
    '--disallow-code-generation-from-strings',
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    script,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: process.cwd() })
  expect(stdout.trim()).toBe('drawn')
})
