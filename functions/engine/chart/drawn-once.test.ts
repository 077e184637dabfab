import { readFileSync } from 'node:fs'
import { expressionInterpreter } from 'vega-interpreter'
import * as vega from 'vega'
import { describe, expect, it } from 'vitest'
import { splitAtPlaceholders, joinParts, liftParts } from './spec-parts.ts'
import { compileChart, compiledText } from './compiled.ts'
import { chartWidths, type ChartInput } from './frame.ts'
import { plainSamples, samples } from './samples.testing.ts'
import { chartSpec } from './spec.ts'
import { toStaticSpec } from './still.ts'
import { chartSvg } from './svg.ts'
import { toDrawing, frameSvg } from './themed-svg.ts'
import { insertTexts, withTextPlaceholders } from './text-placeholders.ts'

const all: Record<string, ChartInput> = { ...samples, ...plainSamples }
const locales = ['en-US', 'fr', 'ar-u-nu-latn']
const names = { id: 'a', title: 'A <title>', description: 'What it shows.' }

const buildSpecs = (input: ChartInput) =>
  locales.flatMap((locale) =>
    Object.values(chartWidths).map((width) => {
      const spec = chartSpec({ ...input, locale, width })
      if (!spec) throw new Error('nothing to draw')
      return spec
    }),
  )

/** The way without any memory. */
async function drawWithoutCache(spec: Parameters<typeof chartSvg>[0]): Promise<string> {
  const compiled = (await compileChart(toStaticSpec(spec))) as vega.Spec
  const view = new vega.View(vega.parse(compiled, undefined, { ast: true }), {
    ...{ renderer: 'none', logLevel: vega.Error, expr: expressionInterpreter },
  })
  return frameSvg(toDrawing(await view.toSVG(), names.id), names)
}

describe.each(Object.keys(all))('%s', (name) => {
  it('compiles from a cached compilation to exactly the same as without one', async () => {
    for (const spec of buildSpecs(all[name] as ChartInput)) {
      const whole = JSON.stringify(await compileChart(spec))
      expect(await compiledText(spec)).toBe(whole)
      expect(await compiledText(spec)).toBe(whole)
      expect(
        splitAtPlaceholders(JSON.stringify(await compileChart(liftParts(spec)?.shape as typeof spec))),
      ).not.toBeNull()
    }
  })

  it.skipIf(name === 'regions')(
    'drawn once for all languages is exactly the same as drawn for each',
    async () => {
      for (const spec of buildSpecs(all[name] as ChartInput))
        expect(await chartSvg(spec, names)).toBe(await drawWithoutCache(spec))
    },
  )
})

it('treats numbers, ticks and words as replaceable parts, and the look of a chart as its shape', () => {
  const getSpecShape = (input: ChartInput) => JSON.stringify(liftParts(chartSpec(input) as object)?.shape)
  const rows = samples.line.rows.map((row) => ({ ...row, t: Number(row.t) + 1 }))
  const { line } = samples
  expect(getSpecShape({ ...line, rows, title: 'Another' })).toBe(getSpecShape(line))
  expect(getSpecShape({ ...line, locale: 'fr' })).toBe(getSpecShape(line))
  expect(getSpecShape({ ...line, visualization: { type: 'bar' } })).not.toBe(getSpecShape(line))
})

it('draws all languages alike except for the texts', () => {
  const buildSpec = (locale: string) =>
    withTextPlaceholders(toStaticSpec(chartSpec({ ...samples.line, locale }) as object))
  const [english, french] = [buildSpec('en-US'), buildSpec('fr')]
  expect(JSON.stringify(french?.spec)).toBe(JSON.stringify(english?.spec))
  expect(french?.texts).not.toEqual(english?.texts)
})

it('does not touch a spec that contains the placeholders itself', async () => {
  const rows = [{ x: 1, text: '\ue0f00\ue0f1' }]
  expect(withTextPlaceholders({ data: { values: rows } })).toBeNull()
  expect(liftParts({ title: '987610000000', data: { values: rows } })).toBeNull()
  const spec = chartSpec({ ...samples.columns, title: 'Of 987610000000' })
  expect(spec && (await compiledText(spec))).toBe(JSON.stringify(spec && (await compileChart(spec))))
})

it('inserts parts exactly, and none within a text', () => {
  const parted = liftParts({ description: 'a "b" \\ 1', data: { values: [{ a: -1 }, { a: '</x>' }] } })
  const chunks = splitAtPlaceholders(JSON.stringify(parted?.shape))
  expect(chunks && joinParts(chunks, parted?.parts ?? [])).toBe(
    '{"description":"a \\"b\\" \\\\ 1","data":{"values":[{"a":-1},{"a":"</x>"}]}}',
  )
  expect(splitAtPlaceholders('{"expr":"2 * 987610000000"}')).toBeNull()
})

it('escapes texts as Vega does', () => {
  const { spec, texts } = withTextPlaceholders({ data: { values: [{ text: [' <b> & "c" ', ''] }] } }) ?? {
    spec: {},
    texts: [],
  }
  const [row] = (spec as { data: { values: { text: [string] }[] } }).data.values
  expect(insertTexts(`<text>${row?.text[0]}</text>`, texts)).toBe('<text>&lt;b&gt; &amp; "c"</text>')
})

it('was verified with the installed versions of the libraries', () => {
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  ) as {
    dependencies: Record<string, string>
  }
  const installed = ['vega', 'vega-lite', 'vega-interpreter'].map((name) => `${name} ${dependencies[name]}`)
  // Another version may interpret what spec-parts.ts extracts, or lay out texts itself: read its changes, then
  // update this.
  expect(installed).toEqual(['vega 6.4.0', 'vega-lite 6.4.3', 'vega-interpreter 2.3.2'])
})
